// Reads that include every acknowledged write: what each reader waits for, and what happens on a
// timeout.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { MemoryBus } from '../bus/bus-for-test.ts';
import type { Extent } from '../journal/index.ts';
import { FakeClock } from '../process/clock-for-test.ts';
import {
  decodeWanted,
  encodeProgress,
  progressSubject,
  wantedSubject,
} from '../projections/index.ts';
import { FRESH_READS_DEFAULTS, FreshReads } from './fresh-reads.ts';

function harness() {
  const [bus, clock] = [new MemoryBus(), new FakeClock()];
  const requests: ((extent: Extent | undefined) => void)[] = [];
  const tables = { frame: 0, isUnavailable: false, polls: 0 };
  const pool = {
    async query() {
      tables.polls += 1;
      if (tables.isUnavailable) throw new Error('unavailable');
      return { rows: [{ frame: `${tables.frame}` }] };
    },
  };
  const commands = { extent: (done: (typeof requests)[0]) => void requests.push(done) };
  const options = { commands, bus, clock, pool, exchange: 'test' };
  const fresh = new FreshReads({ ...FRESH_READS_DEFAULTS, ...options });
  const progress = (frame: number) => {
    const message = encodeProgress({ frame, eventsSequence: frame, timeMs: 1 });
    bus.deliver(progressSubject('test'), message);
  };
  return { bus, fresh, requests, tables, progress, passMs: (ms: number) => clock.pass(ms) };
}

/** The state of a promise so far. */
async function stateOf(promise: Promise<boolean>): Promise<boolean | 'waits'> {
  await turn();
  return Promise.race([promise, Promise.resolve('waits' as const)]);
}

test('a reader waits until the tables contain the end of the log', async () => {
  const { fresh, progress, requests } = harness();
  const read = fresh.untilFresh();
  requests[0]({ first: 1, last: 5 });
  assert.equal(await stateOf(read), 'waits');
  progress(4);
  assert.equal(await stateOf(read), 'waits');
  progress(5);
  assert.equal(await stateOf(read), true);
  const again = fresh.untilFresh();
  requests[1]({ first: 1, last: 5 });
  assert.equal(await stateOf(again), true, 'nothing new, so no wait');
});

test('the projector is asked once for each frame that readers wait for', async () => {
  const { bus, fresh, progress } = harness();
  progress(4);
  const reads = [4, 5, 5, 7, 6].map((frame) => fresh.untilFrame(frame));
  const wanted = bus.messages.map(({ message, subject }) => [subject, decodeWanted(message)]);
  assert.deepEqual(
    wanted,
    [5, 7].map((frame) => [wantedSubject('test'), frame]),
  );
  progress(7);
  assert.deepEqual(
    await Promise.all(reads),
    reads.map(() => true),
  );
});

test('a reader that arrives during a request waits for the next request', async () => {
  const { fresh, progress, requests } = harness();
  progress(5);
  const before = fresh.untilFresh();
  // Frame 6 was acknowledged between the two: a response in flight might lack it.
  const after = [fresh.untilFresh(), fresh.untilFresh()];
  assert.equal(requests.length, 1);
  requests[0]({ first: 1, last: 5 });
  assert.equal(await stateOf(before), true);
  assert.equal(requests.length, 2, 'one request for both');
  requests[1]({ first: 1, last: 6 });
  assert.equal(await stateOf(after[0]), 'waits');
  progress(6);
  assert.deepEqual(await Promise.all(after), [true, true]);
});

test('after a lost progress message the tables are polled', async () => {
  const { fresh, passMs, requests, tables } = harness();
  const read = fresh.untilFresh();
  requests[0]({ first: 1, last: 5 });
  await turn();
  tables.frame = 5;
  await passMs(FRESH_READS_DEFAULTS.pollEveryMs);
  assert.equal(await stateOf(read), true);
  await passMs(FRESH_READS_DEFAULTS.pollEveryMs);
  await passMs(FRESH_READS_DEFAULTS.pollEveryMs);
  assert.equal(tables.polls, 1, 'without readers the tables are not polled');
});

test('a reader gets false after the timeout, whatever is unavailable', async () => {
  const { fresh, passMs, requests, tables } = harness();
  tables.isUnavailable = true;
  const read = fresh.untilFresh();
  requests[0]({ first: 1, last: 5 });
  await turn();
  await passMs(FRESH_READS_DEFAULTS.timeoutMs - 1);
  assert.equal(await stateOf(read), 'waits');
  await passMs(1);
  assert.equal(await stateOf(read), false);
  assert.equal(fresh.waitingCount, 0);
});

test('the log is queried again after a lost response while a reader has time', async () => {
  const { fresh, passMs, progress, requests } = harness();
  progress(5);
  const [patient, hurried] = [fresh.untilFresh(), fresh.untilFresh(40)];
  requests[0](undefined);
  assert.equal(await stateOf(patient), 'waits');
  await passMs(FRESH_READS_DEFAULTS.retryAfterMs);
  assert.equal(await stateOf(hurried), false);
  requests[1]({ first: 1, last: 5 });
  assert.equal(await stateOf(patient), true);
  const late = fresh.untilFresh();
  requests[2](undefined);
  await passMs(FRESH_READS_DEFAULTS.timeoutMs);
  assert.equal(await stateOf(late), false, 'the log never responded');
  requests[3](undefined);
  await passMs(FRESH_READS_DEFAULTS.retryAfterMs);
  assert.equal(requests.length, 4, 'without readers the log is not queried');
  const next = fresh.untilFresh();
  requests[4]({ first: 1, last: 5 });
  assert.equal(await stateOf(next), true, 'a later reader queries again');
});

test('a reader with a short deadline gets false, even if the log does not respond', async () => {
  const { fresh, passMs, requests } = harness();
  const unanswered = fresh.untilFresh(250);
  const behind = fresh.untilFresh(250);
  passMs(249);
  assert.equal(await stateOf(unanswered), 'waits');
  passMs(1);
  assert.equal(await stateOf(unanswered), false);
  requests[0]({ first: 1, last: 5 });
  assert.equal(await stateOf(behind), false);
});

test('a promoted replica that lacks frames is refused once, then readers wait for it', async () => {
  const { fresh, progress, requests } = harness();
  progress(5);
  const connection = (frame: number) => ({ query: async () => ({ rows: [{ frame }] }) });
  await fresh.verify(connection(5));
  await assert.rejects(fresh.verify(connection(3)), /frame 3, and had 5 before/);
  await fresh.verify(connection(3));
  const read = fresh.untilFresh();
  requests[0]({ first: 1, last: 5 });
  assert.equal(await stateOf(read), 'waits', 'the lost server had it');
  progress(5);
  assert.equal(await stateOf(read), true);
});
