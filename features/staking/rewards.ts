// Reward arithmetic: exact whole numbers, and one floor over the total of all days. A day's reward
// is the growth of that floor, so the days of a stake add up to the closed formula, and many small
// stakes never earn more than one of the same size.

import { type Atoms, ONE_MILLION_PPM } from '../../core/money/index.ts';

/** Days per year by which an APY is divided, like on other exchanges with this interface. */
const DAYS_PER_YEAR = 360n;
/** APY units per percent. */
const APY_UNITS = 10n ** 6n;
const PRICE_DECIMALS = 18;

/** Price if stake and reward are the same coin. */
export const PRICE_ONE = 10n ** BigInt(PRICE_DECIMALS);

/** Divides the total of weighted principals to get the reward in atoms. */
export function rewardDivisor(stakeScale: number): bigint {
  return 100n * DAYS_PER_YEAR * APY_UNITS * PRICE_ONE * 10n ** BigInt(stakeScale);
}

export interface RewardDay {
  /** In millionths of a percent. */
  readonly apyMicro: bigint;
  /** Price of the staked coin in the reward coin, with 18 decimals. */
  readonly priceUnits: bigint;
  /** Scale of the reward coin. */
  readonly rewardScale: number;
}

/** Weight of each atom of principal on a day. */
export function dayWeight({ apyMicro, priceUnits, rewardScale }: RewardDay): bigint {
  return apyMicro * priceUnits * 10n ** BigInt(rewardScale);
}

/** Truncates after 18 decimals. */
export function priceUnitsOf(price: string): bigint {
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(price);
  if (parts === null) throw new RangeError(`expected a decimal price, found ${price}`);
  const [, whole, fraction = ''] = parts;
  return BigInt(whole + fraction.slice(0, PRICE_DECIMALS).padEnd(PRICE_DECIMALS, '0'));
}

export interface StakeEnd {
  readonly principalAtoms: Atoms;
  readonly rewardAtoms: Atoms;
  /** Before the closing day, at the user's request. */
  readonly isEarly: boolean;
  readonly principalSlashPpm: bigint;
  readonly rewardSlashPpm: bigint;
}

/** Payments when a stake ends. */
export interface Settlement {
  /** To the user. */
  readonly principalAtoms: Atoms;
  readonly rewardAtoms: Atoms;
  /** Back to the pool's funding account. */
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
