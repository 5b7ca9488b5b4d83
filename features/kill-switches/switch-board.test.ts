// Tests that a board reads the switches before its process serves, detects changes by the bus or
// its poll, and keeps its state while the database is unreachable.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryBus } from '../../infra/bus/bus-for-test.ts';
import { FakeClock } from '../../infra/process/clock-for-test.ts';
import { SwitchBoard, switchSubject } from './switch-board.ts';
import { hasSessionEnded, type SessionCaller } from './switches-in-force.ts';

const POLL_MS = 500;

function world() {
  const row = {
    version: '1',
    is_read_only: false,
    are_logins_stopped: false,
    services: [] as string[],
    everyone_at_ms: '0',
    kept_session: '0',
    users_at_ms: '0',
  };
  const clock = new FakeClock();
  const bus = new MemoryBus();
  const statements: string[] = [];
  const faults: unknown[] = [];
  let fault: Error | undefined;
  let gate = Promise.resolve();
  const board = new SwitchBoard({
    clock,
    bus,
    exchange: 'test',
    statements: {
      async query(text) {
        statements.push(text);
        const rows = [{ ...row }];
        await gate;
        if (fault !== undefined) throw fault;
        return { rows, rowCount: 1 };
      },
    },
    watcher: { changed() {}, readFailed: (one) => faults.push(one) },
  });
  return {
    board,
    bus,
    clock,
    /** Resolves when the next poll is scheduled. */
    async start() {
      await board.start();
      await clock.pass(0);
    },
    statements,
    faults,
    /** Like a commit. */
    change(to: Partial<typeof row>) {
      Object.assign(row, to, { version: `${Number(row.version) + 1}` });
    },
    setFault: (to: Error | undefined) => void (fault = to),
    /** Reads in progress see the old state and end when the returned function is called. */
    holdReads() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
}

test('before the first read, everything is stopped, and start waits for the read', async () => {
  const { board, clock, faults, setFault } = world();
  setFault(new Error('away'));
  let isStarted = false;
  const started = board.start().then(() => void (isStarted = true));
  await clock.pass(3 * POLL_MS);
  assert.deepEqual([isStarted, board.version], [false, undefined]);
  assert.deepEqual([board.isReadOnly, board.isIntakeStopped('notifier')], [true, true]);
  setFault(undefined);
  await clock.pass(POLL_MS);
  await started;
  assert.deepEqual([board.isReadOnly, board.isIntakeStopped('notifier')], [false, false]);
  assert.deepEqual([board.version, faults.length], [1, 1]);
});

test('a poll is one small statement and finds a change without the bus', async () => {
  const { board, change, clock, start, statements } = world();
  await start();
  let changes = 0;
  board.watch(() => changes++);
  statements.length = 0;
  await clock.pass(POLL_MS);
  assert.deepEqual(statements, ['select version from switch_version']);
  change({ is_read_only: true });
  assert.equal(board.isReadOnly, false);
  await clock.pass(POLL_MS);
  assert.deepEqual([board.isReadOnly, board.version, changes], [true, 2, 1]);
});

test('a message on the bus is enough without a poll', async () => {
  const { board, bus, change, clock, start } = world();
  await start();
  change({ services: ['notifier'] });
  board.announce();
  assert.equal(bus.messages[0].subject, switchSubject('test'));
  await clock.pass(0);
  assert.equal(board.isIntakeStopped('notifier'), true);
  assert.equal(board.isIntakeStopped('gateway-http'), false);
});

test('a change during a read is read again immediately', async () => {
  const { board, change, clock, holdReads, start } = world();
  await start();
  const release = holdReads();
  clock.advance(POLL_MS);
  change({ are_logins_stopped: true });
  board.announce();
  release();
  await clock.pass(0);
  assert.equal(board.areLoginsStopped, true);
});

test('while the database is unreachable, the last switches stay in force', async () => {
  const { board, change, clock, faults, setFault, start } = world();
  change({ is_read_only: true });
  await start();
  setFault(new Error('away'));
  change({ is_read_only: false });
  await clock.pass(10 * POLL_MS);
  assert.deepEqual([board.isReadOnly, board.version, faults.length], [true, 2, 1]);
  setFault(undefined);
  await clock.pass(POLL_MS);
  assert.equal(board.isReadOnly, false);
});

test('a stopped board does no further reads or calls', async () => {
  const { board, bus, change, clock, start, statements } = world();
  await start();
  board.stop();
  statements.length = 0;
  change({ is_read_only: true });
  board.announce();
  await clock.pass(10 * POLL_MS);
  assert.deepEqual([statements, clock.pendingCount, bus.subjects], [[], 0, []]);
});

const ENDS = { everyoneAtMs: 1_000, keptSession: 7, usersAtMs: 2_000 };
const session = { kind: 'session', session: 1, beganAtMs: 0, role: 'user' } as const;
const table: [what: string, caller: SessionCaller, hasEnded: boolean][] = [
  ['a session from before', { ...session, role: 'admin', beganAtMs: 999 }, true],
  ['a session that began at that moment', { ...session, role: 'admin', beganAtMs: 1_000 }, false],
  ['the kept session', { ...session, role: 'admin', session: 7 }, false],
  ["a user's session from before the login stop", { ...session, beganAtMs: 1_999 }, true],
  [
    "an operator's session from before the login stop",
    { ...session, role: 'kyc', beganAtMs: 1_999 },
    false,
  ],
  ["a user's later session", { ...session, beganAtMs: 2_000 }, false],
  ['a key', { ...session, kind: 'key', session: 0 }, false],
];

for (const [what, caller, hasEnded] of table) {
  test(`${what} ${hasEnded ? 'has ended' : 'continues'}`, () => {
    assert.equal(hasSessionEnded(ENDS, caller), hasEnded);
  });
}
