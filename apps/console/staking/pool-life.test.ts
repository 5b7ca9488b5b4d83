// Stake pool lifecycle.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextSteps, stepChange, stepWaits } from './pool-life.ts';

test('each state has its next steps', () => {
  assert.deepEqual(nextSteps({ status: 'uninitialized', onboarding: false }), ['start']);
  assert.deepEqual(nextSteps({ status: 'active', onboarding: true }), ['closeDoor', 'pause']);
  assert.deepEqual(nextSteps({ status: 'active', onboarding: false }), ['takeStakes', 'pause']);
  assert.deepEqual(nextSteps({ status: 'paused', onboarding: false }), ['resume', 'end']);
  assert.deepEqual(nextSteps({ status: 'terminated', onboarding: false }), []);
});

test('only steps that stop stakes need no approval', () => {
  const waiting = (['start', 'takeStakes', 'closeDoor', 'pause', 'resume', 'end'] as const).filter(
    stepWaits,
  );
  assert.deepEqual(waiting, ['start', 'takeStakes', 'resume', 'end']);
  assert.deepEqual(stepChange('pause'), { status: 'paused', onboarding: false });
  assert.equal(stepChange('end'), undefined);
});
