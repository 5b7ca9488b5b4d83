// Virtual time: task order, paused and crashed processes, and differing clocks.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Random } from '../flows/index.ts';
import { VirtualTime } from './virtual-time.ts';

function openTime(seed = 1, latenessMsMax = 0): VirtualTime {
  return new VirtualTime({ startMs: 1_000, random: new Random(seed), latenessMsMax });
}

test('tasks run by time, and tasks due at the same time in order of insertion', () => {
  const time = openTime();
  const order: string[] = [];
  for (const [name, delayMs] of [
    ['c', 20],
    ['a', 10],
    ['overdue', -5],
    ['d', 20],
    ['b', 10],
  ] as const) {
    time.after(delayMs, () => order.push(`${name} at ${time.nowMs()}`));
  }
  time.runUntil(1_019);
  assert.deepEqual(order, ['overdue at 1000', 'a at 1010', 'b at 1010']);
  assert.equal(time.nowMs(), 1_019);
  time.runUntil(2_000);
  assert.deepEqual(order.slice(3), ['c at 1020', 'd at 1020']);
});

test('many tasks added in any order run in order of time', () => {
  const time = openTime();
  const random = new Random(5);
  const seen: number[] = [];
  for (let count = 0; count < 1_000; count++) {
    time.after(random.below(300), () => seen.push(time.nowMs()));
  }
  time.runUntil(2_000);
  assert.equal(seen.length, 1_000);
  assert.deepEqual(
    seen,
    [...seen].sort((a, b) => a - b),
  );
});

test('a canceled task does not run; a delay that is not a number throws', () => {
  const time = openTime();
  const process = time.process(0);
  process.after(1, () => assert.fail('ran')).cancel();
  process.soon(() => assert.fail('ran')).cancel();
  assert.throws(() => process.after(Number.NaN, () => {}), RangeError);
  time.runUntil(2_000);
});

test('a task scheduled by a task does not run inside it', () => {
  const time = openTime();
  const process = time.process(0);
  const order: string[] = [];
  process.soon(() => {
    process.soon(() => order.push('inner'));
    order.push('outer');
  });
  time.runUntil(1_000);
  assert.deepEqual(order, ['outer', 'inner']);
});

test('a crashed process never runs anything again', () => {
  const time = openTime();
  const process = time.process(0);
  process.after(5, () => assert.fail('ran'));
  process.crash();
  process.soon(() => assert.fail('ran'));
  time.runUntil(2_000);
});

test('a paused process runs nothing, and runs all overdue tasks when it resumes', () => {
  const time = openTime();
  const process = time.process(0);
  const order: string[] = [];
  process.after(5, () => order.push(`early at ${process.nowMs()}`));
  process.after(50, () => order.push(`timer at ${process.nowMs()}`));
  time.after(60, () => process.soon(() => order.push(`arrival at ${process.nowMs()}`)));
  const cancelled = process.after(70, () => assert.fail('ran'));
  process.after(200, () => order.push(`later at ${process.nowMs()}`));
  time.runUntil(1_010);
  process.pause();
  time.runUntil(1_100);
  assert.deepEqual(order, ['early at 1005']);
  cancelled.cancel();
  process.resume();
  time.runUntil(1_300);
  assert.deepEqual(new Set(order.slice(1, 3)), new Set(['timer at 1100', 'arrival at 1100']));
  assert.equal(order[3], 'later at 1200');
});

test('after a pause, either the timers or the arrivals can run first', () => {
  const first = new Set<string>();
  for (let seed = 1; seed <= 20; seed++) {
    const time = openTime(seed);
    const process = time.process(0);
    const order: string[] = [];
    process.pause();
    process.after(5, () => order.push('timer'));
    time.after(6, () => process.soon(() => order.push('arrival')));
    process.after(7, () => order.push('timer'));
    time.runUntil(1_010);
    process.resume();
    time.runUntil(1_020);
    first.add(order.join(' '));
  }
  assert.deepEqual(
    first,
    new Set(['timer timer arrival', 'arrival timer timer', 'timer arrival timer']),
  );
});

test('clocks differ by their skew, show full milliseconds, and pause if set back slightly', () => {
  const time = openTime();
  const ahead = time.process(80.5);
  const behind = time.process(-80);
  assert.equal(ahead.nowMs(), 1_080);
  assert.equal(behind.nowMs(), 920);
  ahead.setSkewMs(0);
  assert.equal(ahead.nowMs(), 1_080);
  time.runUntil(1_200);
  assert.equal(ahead.nowMs(), 1_200);
  ahead.setSkewMs(3_600_000);
  assert.equal(ahead.nowMs(), 3_601_200);
  ahead.setSkewMs(0);
  assert.equal(ahead.nowMs(), 1_200);
});

test('timers of a process are randomly late, and the same seed produces the same lateness', () => {
  const run = (seed: number): number[] => {
    const time = openTime(seed, 10);
    const process = time.process(0);
    const seen: number[] = [];
    for (let count = 0; count < 20; count++) process.after(5, () => seen.push(time.nowMs()));
    time.runUntil(2_000);
    return seen;
  };
  assert.deepEqual(run(1), run(1));
  assert.notDeepEqual(run(1), run(2));
  assert.ok(run(1).every((timeMs) => timeMs >= 1_005 && timeMs < 1_015));
});
