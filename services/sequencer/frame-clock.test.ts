// Frame time with clocks that are set forward and back: it advances with the monotonic clock, and
// the median of all clocks decides where an epoch starts.

import assert from 'node:assert/strict';
import test from 'node:test';
import { FakeClock } from '../../infra/process/clock-for-test.ts';
import { ClockComparison } from './clock-comparison.ts';
import { FrameClock } from './frame-clock.ts';

const START_MS = 1_700_000_000_000;
const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const KEPT_MS = 1_500;

/** A clock that can be set, like a machine's clock. */
function machineClock() {
  const fake = new FakeClock(START_MS);
  return {
    setMs: 0,
    nowMs(): number {
      return fake.nowMs() + this.setMs;
    },
    elapsedMs: () => fake.elapsedMs(),
    after: fake.after.bind(fake),
    soon: fake.soon.bind(fake),
    advance: (byMs: number) => fake.advance(byMs),
  };
}

function open(lastMs = START_MS) {
  const clock = machineClock();
  const clocks = new ClockComparison(clock);
  const begin = () => new FrameClock({ clock, clocks, lastMs });
  /** Records another clock with this offset. */
  const hear = (name: string, offMs: number) =>
    clocks.heard(name, clock.elapsedMs() + offMs, KEPT_MS);
  return { clock, clocks, begin, hear };
}

test('one reading an hour ahead moves frames by milliseconds, and time advances', () => {
  const { begin, clock, clocks } = open();
  const frames = begin();
  clock.advance(SECOND_MS);
  assert.equal(frames.nowMs(), START_MS + SECOND_MS);
  clock.setMs = HOUR_MS;
  clock.advance(SECOND_MS);
  assert.equal(frames.nowMs(), START_MS + 2 * SECOND_MS + 5);
  assert.equal(clocks.takeJumpMs(), HOUR_MS);
  clock.setMs = 0;
  clock.advance(SECOND_MS);
  assert.equal(frames.nowMs(), START_MS + 3 * SECOND_MS);
  assert.equal(clocks.takeJumpMs(), -HOUR_MS);
  clock.advance(SECOND_MS);
  assert.equal(clocks.takeJumpMs(), 0);
});

test("time advances while the machine's clock is set back", () => {
  const { begin, clock } = open();
  const frames = begin();
  clock.setMs = -HOUR_MS;
  for (let second = 1; second <= 10; second++) {
    clock.advance(SECOND_MS);
    assert.equal(frames.nowMs(), START_MS + second * 995);
  }
});

test('an epoch starts at the last frame if that is later, and time advances from there', () => {
  const { begin, clock } = open(START_MS + HOUR_MS);
  const frames = begin();
  assert.equal(frames.nowMs(), START_MS + HOUR_MS);
  clock.advance(SECOND_MS);
  assert.equal(frames.nowMs(), START_MS + HOUR_MS + 995);
  assert.equal(frames.aheadMs(), HOUR_MS - 5);
});

test('small differences are corrected gradually, and time never runs twice as fast', () => {
  const { begin, clock } = open();
  const frames = begin();
  clock.setMs = 40;
  clock.advance(4 * SECOND_MS);
  assert.equal(frames.nowMs(), START_MS + 4_020);
  clock.advance(8 * SECOND_MS);
  assert.equal(frames.nowMs(), START_MS + 12_040);
});

test('a machine with a wrong clock starts at the time of the other clocks', () => {
  for (const offMs of [HOUR_MS, -HOUR_MS]) {
    const { begin, clock, clocks, hear } = open(START_MS - SECOND_MS);
    clock.setMs = offMs;
    hear('log', 0);
    hear('a', 3);
    assert.ok(Math.abs(clocks.aheadMs(START_MS)) > SECOND_MS);
    const aheadMs = begin().nowMs() - START_MS;
    assert.ok(aheadMs >= 0 && aheadMs <= 3, `${aheadMs}`);
  }
});

test('a single wrong clock among the others does not count', () => {
  for (const offMs of [HOUR_MS, -HOUR_MS]) {
    const { begin, clocks, hear } = open();
    hear('log', 0);
    hear('a', offMs);
    assert.equal(clocks.aheadMs(START_MS), 0);
    assert.equal(begin().nowMs(), START_MS);
  }
});

test('of two clocks that differ, the one closer to the last frame counts', () => {
  for (const offMs of [HOUR_MS, -HOUR_MS]) {
    const { begin, clock, hear } = open(START_MS - SECOND_MS);
    clock.setMs = offMs;
    hear('log', 0);
    assert.equal(begin().nowMs(), START_MS);
  }
});

test('of two clocks that differ long after the last frame, the earlier one counts', () => {
  const { begin, clock, clocks, hear } = open(START_MS - 24 * HOUR_MS);
  clock.setMs = HOUR_MS;
  hear('log', 0);
  assert.ok(Math.abs(clocks.aheadMs(START_MS)) > SECOND_MS);
  assert.equal(begin().nowMs(), START_MS);
});

test('a machine that receives no other clock uses its own', () => {
  const { begin, clock, clocks, hear } = open();
  clock.setMs = HOUR_MS;
  hear('a', 0);
  clock.advance(KEPT_MS + 1);
  assert.equal(clocks.aheadMs(START_MS), 0);
  assert.equal(begin().nowMs(), START_MS + HOUR_MS + KEPT_MS + 1);
});

test("if most clocks are ahead, an epoch starts no later than the log's clock allows", () => {
  const { clock, clocks, hear } = open();
  clock.setMs = HOUR_MS;
  clock.advance(2 * SECOND_MS);
  hear('standby', HOUR_MS);
  hear('the log', 0);
  const begin = (idleMs?: number) =>
    new FrameClock({ clock, clocks, lastMs: START_MS, idleMs }).nowMs() - START_MS;
  assert.equal(begin(2 * SECOND_MS), 3 * SECOND_MS);
  assert.equal(begin(-HOUR_MS), SECOND_MS, "a server's clock was set back");
  assert.equal(begin(), HOUR_MS + 2 * SECOND_MS, 'a log without a clock does not decide');
});

test('an exchange that was down for a day starts at the agreed time', () => {
  const { clock, clocks } = open();
  clock.advance(24 * HOUR_MS);
  const idleMs = 24 * HOUR_MS + 300;
  const frames = new FrameClock({ clock, clocks, lastMs: START_MS, idleMs });
  assert.equal(frames.nowMs(), START_MS + 24 * HOUR_MS);
});

test("frame time that is behind steps to the agreed time if the log's clock agrees", () => {
  const { clock, clocks, hear } = open(START_MS);
  clock.advance(HOUR_MS);
  hear('standby', 0);
  hear('the log', 0);
  const frames = new FrameClock({ clock, clocks, lastMs: START_MS, idleMs: 5 * SECOND_MS });
  assert.equal(frames.nowMs(), START_MS + HOUR_MS, 'all machines were suspended for an hour');
});
