// The retry loop: pauses that double up to a maximum, one report per outage, and an early stop.

import assert from 'node:assert/strict';
import test from 'node:test';
import { FakeClock } from './clock-for-test.ts';
import { RetryLoop } from './retry-loop.ts';

class Outage extends Error {}

function loopWith() {
  const clock = new FakeClock();
  const calls: string[] = [];
  const loop = new RetryLoop({
    clock,
    retryMs: 100,
    retryMsMax: 300,
    isRetryable: (fault) => fault instanceof Outage,
    onFailure: () => void calls.push('failure'),
    onDown: () => void calls.push('down'),
    onUp: () => void calls.push('up'),
  });
  return { calls, clock, loop };
}

test('an attempt is repeated with doubling pauses until it succeeds', async () => {
  const { calls, clock, loop } = loopWith();
  const attemptedAtMs: number[] = [];
  const result = loop.run(async () => {
    attemptedAtMs.push(clock.nowMs());
    if (attemptedAtMs.length < 5) throw new Outage();
    return 'done';
  });
  await clock.pass(0);
  for (let i = 0; i < 20; i++) await clock.pass(50);
  assert.equal(await result, 'done');
  assert.deepEqual(attemptedAtMs, [0, 100, 300, 600, 900]);
  assert.deepEqual(calls, ['failure', 'down', 'failure', 'failure', 'failure', 'up']);
  assert.equal(loop.isDown, false);
});

test('an outage spans several runs and ends with the first success', async () => {
  const { calls, clock, loop } = loopWith();
  let attempts = 0;
  const result = loop.run(async () => {
    attempts += 1;
    if (attempts > 1) loop.succeeded();
    if (attempts < 3) throw new Outage();
  });
  for (let i = 0; i < 10; i++) await clock.pass(100);
  await result;
  assert.deepEqual(calls, ['failure', 'down', 'up', 'failure', 'down', 'up']);
});

test('an error that is not retryable is thrown after the cleanup', async () => {
  const { calls, loop } = loopWith();
  await assert.rejects(
    loop.run(() => Promise.reject(new Error('bug'))),
    /bug/,
  );
  assert.deepEqual(calls, ['failure']);
});

test('stop ends the pause and the run; endPause ends only the pause', async () => {
  const { clock, loop } = loopWith();
  const paused = loop.pause(1_000);
  loop.endPause();
  assert.equal(await paused, true);
  const result = loop.run(() => Promise.reject(new Outage()));
  await clock.pass(0);
  loop.stop();
  assert.equal(await result, undefined);
  assert.equal(await loop.pause(1_000), false);
  assert.equal(clock.pendingCount, 0);
});
