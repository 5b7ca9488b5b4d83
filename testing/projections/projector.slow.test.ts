// The projector against a slow and simple projection of the same events, on a real PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { accountsOf } from '../../core/engine/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import type { Cursor } from '../../services/projector/cursor.ts';
import { PROJECTOR_DEFAULTS, Projector } from '../../services/projector/index.ts';
import { chosenSeed, type FlowName } from '../flows/index.ts';
import { assertEqualSchemas, loadNaive } from './load-naive.ts';
import { memoryEvents } from './memory-events.ts';
import { naiveTables } from './naive-projection.ts';
import { type PostgresForTest, startPostgresForTest } from './postgres-for-test.ts';
import { projectEvents } from './project-events.ts';
import { recordEvents } from './recorded-events.ts';

const ORDERS_PER_PARTITION = 1_500;
const SETTINGS = {
  batchEventsMax: 300,
  // Small, so reading pauses and resumes constantly.
  queueBytesMax: 20_000,
  ordersPerPartition: ORDERS_PER_PARTITION,
};

let postgres: PostgresForTest;
let stop: () => Promise<void> = async () => {};

describe('the projector', () => {
  before(async () => {
    postgres = await startPostgresForTest({
      after: (end) => {
        stop = end;
      },
    });
  });
  after(() => stop());

  const flows: [FlowName, gaps: boolean][] = [
    ['calm', true],
    ['adversarial', false],
    ['adversarial', true],
    ['thin-pairs', true],
    ['flash-crash', true],
    ['cancelling', false],
  ];
  for (const [index, [flow, gaps]] of flows.entries()) {
    test(`${flow} events ${gaps ? 'over months ' : ''}create the expected tables`, async () => {
      const recorded = recordEvents({ flow, gaps, seed: chosenSeed() + index, commands: 6_000 });
      const [fast, slow] = [`fast_${index}`, `slow_${index}`];
      const connection = await postgres.schema(fast);
      await project(recorded.messages, fast);
      const naive = await postgres.schema(slow);
      const tables = naiveTables(recorded.frames);
      await loadNaive(naive, { tables, ordersPerPartition: ORDERS_PER_PARTITION });
      await assertEqualSchemas([connection, naive], [fast, slow]);
      await assertAccounts(fast, recorded.exchange);
      await assertLedger(fast);
    });
  }

  test('events gather until a reader wants their frame', async () => {
    const { messages } = recordEvents({
      flow: 'calm',
      gaps: false,
      seed: chosenSeed(),
      commands: 500,
    });
    await postgres.schema('gathered');
    const { log, memory } = memoryEvents(messages.slice(0, 1), 7);
    const written: Cursor[] = [];
    const projector = new Projector({
      events: log,
      clock: systemClock,
      settings: { ...PROJECTOR_DEFAULTS, gatherMs: 3_600_000 },
      connection: postgres.connection('gathered'),
      watcher: {
        started: () => {},
        written: ({ cursor }) => void written.push(cursor),
        databaseDown: () => {},
        databaseUp: () => {},
      },
      onFault: (reason) => assert.fail(reason),
    });
    await until(() => written.length === 1);
    for (const message of messages.slice(1, 4)) memory.store(message);
    await until(() => projector.readSequence === 4);
    const [{ frameSequence }] = written;
    projector.want(frameSequence + 1);
    await until(() => written.length === 2);
    assert.equal(written[1].eventsSequence, 4, 'one transaction for three messages');
    await projector.stop();
    log.close();
  });

  test('a batch whose commit was lost is written again, even if it is the last', async () => {
    const recorded = recordEvents({ flow: 'calm', gaps: false, seed: chosenSeed(), commands: 500 });
    const { messages } = recorded;
    const connection = await postgres.schema('lost');
    // Sequence numbers are not rolled back, so the connection drops once, at the last commit.
    await connection.query('create sequence losses');
    await connection.query(`create function lose() returns trigger language plpgsql as $$ begin
      if new.events_sequence = ${messages.length} and nextval('losses') = 1 then
        perform pg_terminate_backend(pg_backend_pid());
      end if;
      return null;
    end $$`);
    await connection.query(`create constraint trigger lose after update on projection
      deferrable initially deferred for each row execute function lose()`);
    let losses = 0;
    const onDatabaseDown = () => void (losses += 1);
    const options = { ...SETTINGS, connection: postgres.connection('lost'), onDatabaseDown };
    await projectEvents(messages, options);
    assert.equal(losses, 1);
    await assertAccounts('lost', recorded.exchange);
    const { rows } = await connection.query('select events_sequence from projection');
    assert.equal(Number(rows[0].events_sequence), messages.length);
  });
});

async function project(messages: readonly Uint8Array[], schema: string): Promise<void> {
  const connection = postgres.connection(schema);
  const batches = await projectEvents(messages, { connection, ...SETTINGS });
  assert.ok(batches > 5, `only ${batches} transactions`);
}

/** Checks that every account equals the engine's. */
async function assertAccounts(
  schema: string,
  exchange: Parameters<typeof accountsOf>[0],
): Promise<void> {
  const connection = await postgres.session(schema);
  const { rows } = await connection.query(
    'select owner, asset_id, available_atoms, held_atoms from balances',
  );
  const found = rows.map((row) => Object.values(row).join(' ')).sort();
  const expected = accountsOf(exchange)
    .map((it) => [it.owner, it.asset, it.availableAtoms, it.heldAtoms].join(' '))
    .sort();
  const isTouched = (line: string) => !/ 0 0$/.test(line);
  assert.deepEqual(found.filter(isTouched), expected.filter(isTouched));
  assert.ok(found.length > 3);
}

/** Checks double-entry totals and a cause for each entry, queried in the database itself. */
async function assertLedger(schema: string): Promise<void> {
  const connection = await postgres.session(schema);
  const sums = await connection.query(
    `select asset_id, sum(available_change_atoms) + sum(held_change_atoms) as sum
     from ledger_entries group by asset_id having sum(available_change_atoms) +
       sum(held_change_atoms) <> 0`,
  );
  assert.deepEqual(sums.rows, []);
  const orphans = await connection.query(
    `select cause_kind, cause_id from ledger_entries e where not case cause_kind
       when 'order' then exists (select from orders o where o.number = e.cause_id)
       when 'trade' then exists (select from trades t where t.number = e.cause_id)
       when 'withdrawal' then exists (select from withdrawals w where w.withdrawal = e.cause_id)
       when 'deposit' then exists (select from deposits d where d.command = e.cause_id)
       when 'mint' then exists (select from deposits d where d.command = e.cause_id)
       when 'burn' then exists (select from withdrawals w where w.command = e.cause_id)
       else e.cause_id = e.command
     end limit 5`,
  );
  assert.deepEqual(orphans.rows, []);
  const sumsOfBalances = await connection.query(
    `select b.owner, b.asset_id from balances b join (
       select owner, asset_id, sum(available_change_atoms) as available,
         sum(held_change_atoms) as held from ledger_entries group by owner, asset_id
     ) e using (owner, asset_id) where available <> available_atoms or held <> held_atoms`,
  );
  assert.deepEqual(sumsOfBalances.rows, []);
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await turn();
}
