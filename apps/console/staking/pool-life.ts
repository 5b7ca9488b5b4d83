// Stake pool lifecycle: created, started, open for stakes, paused, ended; and the next steps.

import type { StakePoolChangeIn, StakePoolOfOperators } from '../../../client/index.ts';

export type PoolStep = 'start' | 'takeStakes' | 'closeDoor' | 'pause' | 'resume' | 'end';

type Life = Pick<StakePoolOfOperators, 'onboarding' | 'status'>;

/** Returns the possible next steps, in lifecycle order. */
export function nextSteps({ onboarding, status }: Life): PoolStep[] {
  if (status === 'uninitialized') return ['start'];
  if (status === 'active') return [onboarding ? 'closeDoor' : 'takeStakes', 'pause'];
  return status === 'paused' ? ['resume', 'end'] : [];
}

/** Returns whether a step needs approval. Closing a pool to new stakes and pausing it do not. */
export function stepWaits(step: PoolStep): boolean {
  return step !== 'closeDoor' && step !== 'pause';
}

/** Returns the change for a step; undefined for `end`, which has a separate call. */
export function stepChange(step: PoolStep): Omit<StakePoolChangeIn, 'id'> | undefined {
  if (step === 'start') return { status: 'active', onboarding: true };
  if (step === 'takeStakes') return { onboarding: true };
  if (step === 'closeDoor') return { onboarding: false };
  if (step === 'pause') return { status: 'paused', onboarding: false };
  return step === 'resume' ? { status: 'active' } : undefined;
}
