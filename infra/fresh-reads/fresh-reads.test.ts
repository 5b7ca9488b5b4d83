// Reads that include every acknowledged write: what each reader waits for, and what happens on a
// timeout.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Bus } from '../bus/index.ts';
import type { Extent } from '../journal/index.ts';
import type { Pool } from '../postgres/index.ts';
import type { Clock } from '../process/index.ts';
import { encodeProgress } from '../projections/index.ts';
import { FRESH_READS_DEFAULTS, FreshReads } from './fresh-reads.ts';

function world() {
  let nowMs = 0;
  let tasks: { atMs: number; task: () => void }[] = [];
  const clock: Clock = {
    nowMs: () => nowMs,
    elapsedMs: () => nowMs,
    after(delayMs, task) {
      const planned = { atMs: nowMs + delayMs, task };
      tasks.push(planned);
      return { cancel: () => (tasks = tasks.filter((other) => other !== planned)) };
    },
    soon: (task) => clock.after(0, task),
  };
  const questions: ((extent: Extent | undefined) => void)[] = [];
  let hear: (message: Uint8Array) => void = () => {};
  const bus: Bus = {
    publish() {},
    subscribe(_subject, receive) {
      hear = (message) => receive(message, '');
      return { stop() {} };
    },
  };
  const tables = { frame: 0, isAway: false, looks: 0 };
  const pool = {
    async query() {
      tables.looks += 1;
      if (tables.isAway) throw new Error('away');
      return { rows: [{ frame: `${tables.frame}` }] };
    },
  } as unknown as Pool;
  const commands = { extent: (done: (typeof questions)[0]) => void questions.push(done) };
  const fresh = new FreshReads({
    ...FRESH_READS_DEFAULTS,
    commands,
    bus,
    clock,
    pool,
    exchange: 'test',
  });
  return { fresh, questions, tables, passMs, progress };

  function progress(frame: number): void {
    hear(encodeProgress({ frame, eventsSequence: frame, timeMs: 1 }));
  }

  async function passMs(ms: number): Promise<void> {
    nowMs += ms;
    for (const due of tasks.filter(({ atMs }) => atMs <= nowMs)) {
      tasks = tasks.filter((other) => other !== due);
      due.task();
    }
    await turn();
  }
}

/** The state of a promise so far. */
async function stateOf(promise: Promise<boolean>): Promise<boolean | 'waits'> {
  await turn();
  return Promise.race([promise, Promise.resolve('waits' as const)]);
}

test('a reader waits until the tables contain the end of the log', async () => {
  const { fresh, progress, questions } = world();
  const read = fresh.untilFresh();
  questions[0]({ first: 1, last: 5 });
  assert.equal(await stateOf(read), 'waits');
  progress(4);
  assert.equal(await stateOf(read), 'waits');
  progress(5);
  assert.equal(await stateOf(read), true);
  const again = fresh.untilFresh();
  questions[1]({ first: 1, last: 5 });
  assert.equal(await stateOf(again), true, 'nothing new, nothing to wait for');
});

test('a reader that arrives during a request waits for the next request', async () => {
  const { fresh, progress, questions } = world();
  progress(5);
  const before = fresh.untilFresh();
  // Frame 6 was acknowledged between the two: an answer in flight may not include it.
  const after = [fresh.untilFresh(), fresh.untilFresh()];
  assert.equal(questions.length, 1);
  questions[0]({ first: 1, last: 5 });
  assert.equal(await stateOf(before), true);
  assert.equal(questions.length, 2, 'one question for both');
  questions[1]({ first: 1, last: 6 });
  assert.equal(await stateOf(after[0]), 'waits');
  progress(6);
  assert.deepEqual(await Promise.all(after), [true, true]);
});

test('after a lost progress message the tables are polled', async () => {
  const { fresh, passMs, questions, tables } = world();
  const read = fresh.untilFresh();
  questions[0]({ first: 1, last: 5 });
  await turn();
  tables.frame = 5;
  await passMs(FRESH_READS_DEFAULTS.pollEveryMs);
  assert.equal(await stateOf(read), true);
  await passMs(FRESH_READS_DEFAULTS.pollEveryMs);
  await passMs(FRESH_READS_DEFAULTS.pollEveryMs);
  assert.equal(tables.looks, 1, 'nobody waits, nobody looks');
});

test('a reader gets false after the timeout, whatever is unavailable', async () => {
  const { fresh, passMs, questions, tables } = world();
  tables.isAway = true;
  const read = fresh.untilFresh();
  questions[0]({ first: 1, last: 5 });
  await turn();
  await passMs(FRESH_READS_DEFAULTS.timeoutMs - 1);
  assert.equal(await stateOf(read), 'waits');
  await passMs(1);
  assert.equal(await stateOf(read), false);
  assert.equal(fresh.waitingCount, 0);
  const unanswered = fresh.untilFresh();
  questions[1](undefined);
  assert.equal(await stateOf(unanswered), false, 'the log did not say');
});
