// The system clock with real timers: its guarantees hold on a slow machine too.

import assert from 'node:assert/strict';
import test from 'node:test';
import { systemClock } from './clock.ts';

function elapse(delayMs: number): Promise<void> {
  return new Promise((resolve) => systemClock.after(delayMs, resolve));
}

test("nowMs is the machine's time", () => {
  const beforeMs = Date.now();
  const nowMs = systemClock.nowMs();
  assert.ok(beforeMs <= nowMs && nowMs <= Date.now());
});

test('nowMs pauses while the machine time is set back a little, and then continues', (t) => {
  const startMs = systemClock.nowMs();
  let machineMs = startMs + 5;
  t.mock.method(Date, 'now', () => machineMs);
  assert.equal(systemClock.nowMs(), startMs + 5);
  machineMs = startMs - 995;
  assert.equal(systemClock.nowMs(), startMs + 5);
  machineMs = startMs + 6;
  assert.equal(systemClock.nowMs(), startMs + 6);
});

test('nowMs follows a correction of more than a second instead of stopping', (t) => {
  const startMs = systemClock.nowMs();
  let machineMs = startMs + 3_600_000;
  t.mock.method(Date, 'now', () => machineMs);
  assert.equal(systemClock.nowMs(), startMs + 3_600_000);
  machineMs = startMs + 1_000;
  assert.equal(systemClock.nowMs(), startMs + 1_000);
});

test('elapsedMs continues while the machine time is set back', async (t) => {
  const startMs = systemClock.elapsedMs();
  t.mock.method(Date, 'now', () => 0);
  await elapse(2);
  assert.ok(systemClock.elapsedMs() - startMs >= 2);
});

test('a task never runs early, however setTimeout rounds its delay', async () => {
  const delaysMs = Array.from({ length: 50 }, (_, at) => at * 0.37);
  await Promise.all(
    delaysMs.map(async (delayMs) => {
      const startMs = performance.now();
      await elapse(delayMs);
      assert.ok(performance.now() - startMs >= delayMs, `${delayMs} ms`);
    }),
  );
});

test('a task is delayed again if setTimeout fires early', async (t) => {
  let steadyMs = 1_000;
  t.mock.method(performance, 'now', () => steadyMs);
  const waits = t.mock.method(globalThis, 'setTimeout').mock;
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = systemClock.after(2.5, () => resolve(`at ${steadyMs}`));
  t.after(() => timer.cancel());
  while (waits.callCount() < 2) await new Promise((turn) => setImmediate(turn));
  steadyMs = 1_002.4;
  while (waits.callCount() < 4) await new Promise((turn) => setImmediate(turn));
  steadyMs = 1_002.5;
  assert.equal(await promise, 'at 1002.5');
  assert.deepEqual([waits.calls[0].arguments[1], waits.calls.at(-1)?.arguments[1]], [3, 1]);
});

test('a delay beyond the limit of setTimeout works and can be canceled', async (t) => {
  const waits = t.mock.method(globalThis, 'setTimeout').mock;
  for (const delayMs of [2 ** 32, Number.POSITIVE_INFINITY]) {
    waits.resetCalls();
    const timer = systemClock.after(delayMs, () => assert.fail('ran immediately'));
    t.after(() => timer.cancel());
    assert.equal(waits.calls[0].arguments[1], 2_147_483_647);
    await elapse(10);
  }
});

test('an overdue task runs, but not before the caller returns', async () => {
  const order: string[] = [];
  const overdue = new Promise<void>((resolve) => {
    systemClock.after(-1_000, () => {
      order.push('task');
      resolve();
    });
  });
  order.push('caller');
  await overdue;
  assert.deepEqual(order, ['caller', 'task']);
});

test('a delay that is not a number throws', () => {
  assert.throws(() => systemClock.after(Number.NaN, () => {}), RangeError);
});

test('soon runs tasks in order, after the current task and its microtasks', async () => {
  const order: string[] = [];
  const both = new Promise<void>((resolve) => {
    systemClock.soon(() => order.push('first'));
    systemClock.soon(() => {
      order.push('second');
      resolve();
    });
  });
  Promise.resolve().then(() => order.push('promise'));
  order.push('caller');
  await both;
  assert.deepEqual(order, ['caller', 'promise', 'first', 'second']);
});

test('a canceled task does not run, and a late cancel does nothing', async () => {
  const ran: string[] = [];
  systemClock.after(1, () => ran.push('after')).cancel();
  systemClock.soon(() => ran.push('soon')).cancel();
  const kept = systemClock.after(1, () => ran.push('kept'));
  await elapse(10);
  assert.deepEqual(ran, ['kept']);
  kept.cancel();
  kept.cancel();
});
