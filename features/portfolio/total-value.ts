// Value of an amount in another asset, in atoms: exact until the end, then truncated toward zero.
// Display only; must never be used to move money.

import { ratioFromDecimal } from '../../core/market-data/index.ts';

export interface Valued {
  readonly atoms: bigint;
  readonly scale: number;
  /** Price of one unit, as a decimal. */
  readonly price: string;
}

/** Total of the amounts, in atoms of an asset with this scale. Truncated once. */
export function totalValue(amounts: readonly Valued[], scale: number): bigint {
  let over = 0n;
  let under = 1n;
  for (const amount of amounts) {
    const price = ratioFromDecimal(amount.price);
    if (price === undefined) throw new RangeError(`expected a price, got '${amount.price}'`);
    const amountUnder = price.under * 10n ** BigInt(amount.scale);
    over = over * amountUnder + amount.atoms * price.over * under;
    under *= amountUnder;
    const divisor = greatestCommonDivisor(over < 0n ? -over : over, under);
    over /= divisor;
    under /= divisor;
  }
  return (over * 10n ** BigInt(scale)) / under;
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}
