// The arithmetic of rewards: exact whole numbers, and one floor of the sum of all days. The reward
// of a day is how much that floor grows, so that the days of a stake add up to the closed formula,
// and many small stakes never earn more than one of the same size.

import { type Atoms, ONE_MILLION_PPM } from '../../core/money/index.ts';

/** Days of the year by which an APY is divided, as on other exchanges with this interface. */
const DAYS_PER_YEAR = 360n;
/** Units of an APY in a percent. */
const APY_UNITS = 10n ** 6n;
const PRICE_DECIMALS = 18;

/** The price if stake and reward are the same coin. */
export const PRICE_ONE = 10n ** BigInt(PRICE_DECIMALS);

/** The sum of weighed principals, divided by this, is the reward in atoms. */
export function rewardDivisor(stakeScale: number): bigint {
  return 100n * DAYS_PER_YEAR * APY_UNITS * PRICE_ONE * 10n ** BigInt(stakeScale);
}

export interface RewardDay {
  /** In millionths of a percent. */
  readonly apyMicro: bigint;
  /** Of the staked coin in the coin of the reward, with 18 decimals. */
  readonly priceUnits: bigint;
  /** Of the coin of the reward. */
  readonly rewardScale: number;
}

/** The weight of each atom of principal on a day. */
export function dayWeight({ apyMicro, priceUnits, rewardScale }: RewardDay): bigint {
  return apyMicro * priceUnits * 10n ** BigInt(rewardScale);
}

/** Digits after the 18th are cut off. */
export function priceUnitsOf(price: string): bigint {
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(price);
  if (parts === null) throw new RangeError(`expected a decimal price, found ${price}`);
  const [, whole, fraction = ''] = parts;
  return BigInt(whole + fraction.slice(0, PRICE_DECIMALS).padEnd(PRICE_DECIMALS, '0'));
}

export interface StakeEnd {
  readonly principalAtoms: Atoms;
  readonly rewardAtoms: Atoms;
  /** Before the closing day, by the user's wish. */
  readonly isEarly: boolean;
  readonly principalSlashPpm: bigint;
  readonly rewardSlashPpm: bigint;
}

/** Where the money of a stake goes when it ends. */
export interface Settlement {
  /** To the user. */
  readonly principalAtoms: Atoms;
  readonly rewardAtoms: Atoms;
  /** Back to the account that funds the pool. */
  readonly slashedPrincipalAtoms: Atoms;
  readonly slashedRewardAtoms: Atoms;
}

/** Rounds slashes down. */
export function settlementOf(end: StakeEnd): Settlement {
  const slashed = (atoms: Atoms, ppm: bigint) =>
    (end.isEarly ? (atoms * ppm) / BigInt(ONE_MILLION_PPM) : 0n) as Atoms;
  const slashedPrincipalAtoms = slashed(end.principalAtoms, end.principalSlashPpm);
  const slashedRewardAtoms = slashed(end.rewardAtoms, end.rewardSlashPpm);
  return {
    principalAtoms: (end.principalAtoms - slashedPrincipalAtoms) as Atoms,
    rewardAtoms: (end.rewardAtoms - slashedRewardAtoms) as Atoms,
    slashedPrincipalAtoms,
    slashedRewardAtoms,
  };
}
