// Share arithmetic: exact whole numbers, divided once, when they are paid. A share in atoms is fee
// atoms × rate × weight ÷ SHARE_UNITS. The weight contains the price with 18 decimals and the
// scales of both coins, so one divisor fits all.

import { ATOMS_MAX, type Atoms } from '../../core/money/index.ts';

const PRICE_DECIMALS = 18;
const SCALE_MAX = 18;

/** Units of a share per atom: 100 for the percent, the decimals of prices and of coins. */
export const SHARE_UNITS = 100n * 10n ** BigInt(PRICE_DECIMALS + SCALE_MAX);

export interface WeightOf {
  /** A decimal, truncated after 18 decimals. */
  readonly price: string;
  /** Scale of the coin in which the fee was paid. */
  readonly feeScale: number;
  /** Scale of the coin in which the share is paid. */
  readonly shareScale: number;
}

/** Units of share per atom of fee and percent of rate. */
export function shareWeight({ feeScale, price, shareScale }: WeightOf): bigint {
  return priceUnits(price) * 10n ** BigInt(SCALE_MAX - feeScale + shareScale);
}

/**
 * Returns the whole atoms left to pay, at most ATOMS_MAX per payout; the rest is left for later.
 */
export function unpaidAtoms(numerator: bigint, paidAtoms: bigint): Atoms {
  const atoms = numerator / SHARE_UNITS - paidAtoms;
  return (atoms < ATOMS_MAX ? atoms : ATOMS_MAX) as Atoms;
}

function priceUnits(price: string): bigint {
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(price);
  if (parts === null) throw new RangeError(`expected a decimal price, found ${price}`);
  const [, whole, fraction = ''] = parts;
  return BigInt(whole + fraction.slice(0, PRICE_DECIMALS).padEnd(PRICE_DECIMALS, '0'));
}
