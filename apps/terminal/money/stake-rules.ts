// Stakes: the amounts that a pool accepts, and whether a stake can be ended.

import type { SlashEstimate, StakePool, Staker } from '../../../client/index.ts';
import { compare, isPositive, isZero, trimmed } from '../../decimals/index.ts';
import type { Word, WordValues } from '../../ui/index.ts';

export interface StakeProblem {
  readonly word: Word;
  readonly values: WordValues;
}

type Bounds = Pick<StakePool, 'min_amount' | 'max_amount' | 'currency'>;

/** Returns undefined if the pool accepts the amount, or if it is empty. */
export function stakeProblem(
  amount: string,
  { currency, max_amount, min_amount }: Bounds,
  available: string,
): StakeProblem | undefined {
  if (amount === '') return undefined;
  const unit = currency.toUpperCase();
  const values = (text: string) => ({ amount: `${trimmed(text)} ${unit}` });
  if (!isPositive(amount) || compare(amount, min_amount) < 0)
    return { word: 'wallet.rule.minimum', values: values(min_amount) };
  if (compare(amount, max_amount) > 0) return { word: 'stake.atMost', values: values(max_amount) };
  if (compare(amount, available) > 0) return { word: 'stake.only', values: values(available) };
  return undefined;
}

export function takesStakes({ onboarding, status }: Pick<StakePool, 'onboarding' | 'status'>) {
  return status === 'active' && onboarding;
}

/** Returns the text for when a stake unlocks. Without a duration, it unlocks at any time. */
export function unlockWord({
  duration,
  early_unstake: isEarly,
  slashing,
}: Pick<StakePool, 'duration' | 'early_unstake' | 'slashing'>): Word {
  if (duration === null) return 'stake.early';
  if (!isEarly) return 'stake.notEarly';
  return slashing ? 'stake.earlyCosts' : 'stake.early';
}

/** Decides only whether to show the button; the exchange decides whether the stake ends. */
export function canEnd(
  { closing, status }: Pick<Staker, 'closing' | 'status'>,
  pool: Pick<StakePool, 'early_unstake' | 'status'> | undefined,
  nowMs: number,
): boolean {
  if (status !== 'staking' || pool?.status !== 'active') return false;
  return pool.early_unstake || (closing !== null && Date.parse(closing) <= nowMs);
}

export function isFree({ slashingEarning, slashingPrinciple }: SlashEstimate): boolean {
  return isZero(slashingEarning) && isZero(slashingPrinciple);
}
