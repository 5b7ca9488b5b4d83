// Two loops on a real server: one works, the other takes over when the connection of the first
// ends.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPostgresForTest } from '../../testing/projections/postgres-for-test.ts';
import { until } from '../../tools/services/wait-until.ts';
import { systemClock } from '../process/index.ts';
import type { ConnectionOptions } from './connections.ts';
import { SingletonLoop } from './singleton-loop.ts';

const HOUR_MS = 3_600_000;

class Worker {
  readonly rounds: number[] = [];
  readonly faults: string[] = [];
  readonly outages: string[] = [];
  /** In order, with the number of rounds before each. */
  readonly states: string[] = [];
  failsWith: Error | undefined;
  refusesConnectionWith: Error | undefined;
  closed = 0;
  readonly loop: SingletonLoop;

  constructor(connection: ConnectionOptions, pauseMs: number) {
    this.loop = new SingletonLoop({
      clock: systemClock,
      connection,
      lockClass: 4_711,
      standbyMs: 20,
      round: async (one) => {
        if (this.failsWith !== undefined) throw this.failsWith;
        const { rows } = await one.query('select pg_backend_pid() as pid');
        this.rounds.push(rows[0].pid);
        return pauseMs;
      },
      onConnected: () => {
        if (this.refusesConnectionWith !== undefined) throw this.refusesConnectionWith;
        this.states.push(`connected after ${this.rounds.length}`);
      },
      onStandby: () => void this.states.push(`standby after ${this.rounds.length}`),
      onClosed: () => void this.closed++,
      onDown: () => void this.outages.push('down'),
      onUp: () => void this.outages.push('up'),
      onFault: (reason) => void this.faults.push(reason),
    });
    this.loop.start();
  }
}

test('one works and one is a standby, until the first loses its connection', async (t) => {
  const postgres = await startPostgresForTest({ after: (end) => t.after(end) });
  const killer = await postgres.session('public');
  const first = new Worker(postgres.connection('public'), 10);
  t.after(() => first.loop.stop());
  await until('the first works', () => first.rounds.length > 3);
  const second = new Worker(postgres.connection('public'), 10);
  t.after(() => second.loop.stop());
  assert.equal(first.loop.isActive, true);
  await killer.query('select pg_sleep(0.3)');
  assert.deepEqual(first.states, ['connected after 0']);
  assert.deepEqual(second.states, ['standby after 0']);
  assert.deepEqual(second.rounds, []);
  assert.equal(second.loop.isActive, false);
  // The first may come back before the second notices; it is killed until the second has the lock.
  while (second.rounds.length === 0) {
    await killer.query('select pg_terminate_backend($1)', [first.rounds.at(-1)]);
    await killer.query('select pg_sleep(0.05)');
  }
  assert.deepEqual(second.states, ['standby after 0', 'connected after 0']);
  assert.ok(first.closed > 0, 'the first detects that its connection is closed');
  await until('the first reconnects', () => first.loop.isDatabaseUp);
  assert.equal(first.loop.isActive, false);
  assert.equal(first.outages[0], 'down');
  await second.loop.stop();
  const before = first.rounds.length;
  await until('the first works again', () => first.rounds.length > before);
});

test('a wake-up ends the pause, and a permanent fault ends the loop', async (t) => {
  const postgres = await startPostgresForTest({ after: (end) => t.after(end) });
  const worker = new Worker(postgres.connection('public'), HOUR_MS);
  t.after(() => worker.loop.stop());
  await until('the first round', () => worker.rounds.length === 1);
  worker.loop.wake();
  await until('the second round', () => worker.rounds.length === 2);
  worker.failsWith = new Error('a bug');
  worker.loop.wake();
  await until('the end', () => worker.faults.length > 0);
  assert.deepEqual(worker.faults, ['a bug']);
  assert.equal(worker.loop.isStopped, true);
});

test('a rejected connection ends the loop and releases the lock', async (t) => {
  const postgres = await startPostgresForTest({ after: (end) => t.after(end) });
  const first = new Worker(postgres.connection('public'), HOUR_MS);
  t.after(() => first.loop.stop());
  first.refusesConnectionWith = new Error('wrong schema');
  await until('the end', () => first.faults.length > 0);
  assert.deepEqual(first.faults, ['wrong schema']);
  assert.deepEqual(first.rounds, []);
  const second = new Worker(postgres.connection('public'), HOUR_MS);
  t.after(() => second.loop.stop());
  await until('the second works', () => second.rounds.length === 1);
});

test('a wake-up does not end a pause within a round', async (t) => {
  const postgres = await startPostgresForTest({ after: (end) => t.after(end) });
  let rounds = 0;
  const loop = new SingletonLoop({
    clock: systemClock,
    connection: postgres.connection('public'),
    lockClass: 4_711,
    standbyMs: 20,
    round: async () => {
      rounds++;
      await loop.pause(HOUR_MS);
      return 0;
    },
    onFault: (reason) => assert.fail(reason),
  });
  loop.start();
  t.after(() => loop.stop());
  await until('the first round', () => rounds === 1);
  loop.wake();
  await new Promise((done) => setTimeout(done, 50));
  assert.equal(rounds, 1);
  await loop.stop();
});
