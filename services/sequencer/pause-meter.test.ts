// A frame's pause covers the gap before an epoch and the time in which the log stored nothing, each
// counted once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PauseMeter } from './pause-meter.ts';

function meterWith(idleMs: number) {
  let nowMs = 0;
  const meter = new PauseMeter({ elapsedMs: () => nowMs }, idleMs);
  return { meter, pass: (ms: number) => (nowMs += ms) };
}

test('the first frame of an epoch has the time since the last frame, once', () => {
  const { meter, pass } = meterWith(6_400);
  assert.equal(meter.pausedMs, 6_400);
  meter.stated();
  pass(5);
  meter.stored(0);
  assert.equal(meter.pausedMs, 0);
});

test('less than a second does not count as a pause', () => {
  const { meter, pass } = meterWith(999);
  assert.equal(meter.pausedMs, 0);
  meter.stated();
  pass(999);
  meter.stored(0);
  assert.equal(meter.pausedMs, 0);
});

test('the frame after a log outage has its duration', () => {
  const { meter, pass } = meterWith(0);
  meter.stated();
  pass(6_400);
  meter.stored(0);
  pass(60_000);
  assert.equal(meter.pausedMs, 6_400, 'idle time is not a pause');
});

test('a frame built during an outage has its part, and the next frame the rest', () => {
  const { meter, pass } = meterWith(0);
  meter.stated();
  pass(4_000);
  assert.equal(meter.pausedMs, 4_000);
  meter.stated();
  pass(2_400);
  meter.stored(1);
  assert.equal(meter.pausedMs, 2_400);
  pass(10);
  meter.stored(0);
  assert.equal(meter.pausedMs, 2_400);
});
