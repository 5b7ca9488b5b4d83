// One schema has one writer: a second projector is on standby, and a projector whose tables were
// changed by another writer exits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics, systemClock } from '../../infra/process/index.ts';
import { CursorMoved } from '../../services/projector/cursor.ts';
import { PROJECTOR_DEFAULTS, Projector } from '../../services/projector/index.ts';
import { Lag } from '../../services/projector/lag.ts';
import { until, waitUntil } from '../../tools/services/wait-until.ts';
import { chosenSeed } from '../flows/index.ts';
import { memoryEvents } from './memory-events.ts';
import { type PostgresForTest, startPostgresForTest } from './postgres-for-test.ts';
import { recordEvents } from './recorded-events.ts';

const TIMEOUT_MS = 30_000;

test('a second projector is on standby until the first exits', async (context) => {
  const recorded = recordEvents({ flow: 'calm', seed: chosenSeed(), commands: 600, gaps: false });
  const postgres = await startPostgresForTest(context);
  const connection = await postgres.schema('one');
  const half = Math.floor(recorded.messages.length / 2);
  const first = start(postgres, recorded.messages.slice(0, half));
  await until('the first has projected', () => first.sequence() === half);
  const second = start(postgres, recorded.messages);
  // Its last query requested the lock and did not get it.
  const refused = `select from pg_stat_activity
    where query like 'select pg_try_advisory_lock%' and state = 'idle'`;
  await waitUntil({
    what: 'the second requests the lock',
    timeoutMs: TIMEOUT_MS,
    question: async () => (await connection.query(refused)).rowCount === 1,
  });
  assert.equal(second.projector.cursor, undefined);
  // It reports no lag, because it does not own the tables.
  await until('the second is on standby', () => second.projector.isStandby);
  assert.deepEqual([first.projector.isStandby, second.lagMs()], [false, 0]);
  await first.projector.stop();
  await until('the second continues', () => second.sequence() === recorded.messages.length);
  assert.equal(second.projector.isStandby, false);
  await second.projector.stop();
  assert.deepEqual([first.faults, second.faults], [[], []]);
});

test('a projector whose cursor was moved by another writer exits', async (context) => {
  const recorded = recordEvents({ flow: 'calm', seed: chosenSeed(), commands: 600, gaps: false });
  const postgres = await startPostgresForTest(context);
  const connection = await postgres.schema('one');
  const { memory, ...projected } = start(postgres, recorded.messages.slice(0, 5));
  await until('it has projected', () => projected.sequence() === 5);
  await connection.query('update projection set events_sequence = 4');
  memory.store(recorded.messages[5]);
  await until('it has exited', () => projected.faults.length > 0);
  assert.ok(projected.faults[0] instanceof CursorMoved, String(projected.faults[0]));
  const { rows } = await connection.query('select events_sequence from projection');
  assert.equal(rows[0].events_sequence, '4');
  await projected.projector.stop();
});

test('an idle projector exits if its tables went back', async (context) => {
  const recorded = recordEvents({ flow: 'calm', seed: chosenSeed(), commands: 600, gaps: false });
  const postgres = await startPostgresForTest(context);
  const connection = await postgres.schema('one');
  const projected = start(postgres, recorded.messages.slice(0, 5));
  await until('it has projected', () => projected.sequence() === 5);
  const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and datname = current_database()`;
  // A restart of the same PostgreSQL: the projector continues.
  assert.ok((await connection.query(endSessions)).rowCount);
  await until('it has reconnected', () => projected.projector.isDatabaseConnected);
  projected.memory.store(recorded.messages[5]);
  await until('it continues', () => projected.sequence() === 6);
  // A restored one: it exits without waiting for the next event.
  await connection.query('update projection set events_sequence = 4');
  assert.ok((await connection.query(endSessions)).rowCount);
  await until('it has exited', () => projected.faults.length > 0);
  assert.ok(projected.faults[0] instanceof CursorMoved, String(projected.faults[0]));
  await projected.projector.stop();
});

function start(postgres: PostgresForTest, messages: readonly Uint8Array[]) {
  const { log, memory } = memoryEvents(messages, 1);
  const faults: unknown[] = [];
  const projector = new Projector({
    events: log,
    clock: systemClock,
    settings: PROJECTOR_DEFAULTS,
    connection: postgres.connection('one'),
    watcher: {
      started: () => {},
      written: () => {},
      databaseDown: () => {},
      databaseUp: () => {},
    },
    onFault: (_, cause) => faults.push(cause),
  });
  const lagMs = () => {
    const lag = new Lag({ events: log, projector, clock: systemClock, metrics: createMetrics() });
    lag.stop();
    return lag.ms;
  };
  const sequence = () => projector.cursor?.eventsSequence ?? 0;
  return { projector, memory, faults, lagMs, sequence };
}
