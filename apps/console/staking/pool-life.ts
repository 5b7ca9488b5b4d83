// The life of a stake pool: made, started, taking stakes, paused, ended; and which steps come next.

import type { StakePoolChangeIn, StakePoolOfOperators } from '../../../client/index.ts';

export type PoolStep = 'start' | 'takeStakes' | 'closeDoor' | 'pause' | 'resume' | 'end';

type Life = Pick<StakePoolOfOperators, 'onboarding' | 'status'>;

/** In the order of a life. */
export function nextSteps({ onboarding, status }: Life): PoolStep[] {
  if (status === 'uninitialized') return ['start'];
  if (status === 'active') return [onboarding ? 'closeDoor' : 'takeStakes', 'pause'];
  return status === 'paused' ? ['resume', 'end'] : [];
}

/** One person may make a pool stop taking stakes and pause it; the rest waits for another. */
export function stepWaits(step: PoolStep): boolean {
  return step !== 'closeDoor' && step !== 'pause';
}

/** The change of a step; undefined for the end, which has a call of its own. */
export function stepChange(step: PoolStep): Omit<StakePoolChangeIn, 'id'> | undefined {
  if (step === 'start') return { status: 'active', onboarding: true };
  if (step === 'takeStakes') return { onboarding: true };
  if (step === 'closeDoor') return { onboarding: false };
  if (step === 'pause') return { status: 'paused', onboarding: false };
  return step === 'resume' ? { status: 'active' } : undefined;
}
