// Tests the record of the log on real tables: ranges grow and are contiguous, a restart continues
// where the record ends, and rows that the log no longer has are sealed as found.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { EventFrame } from '../../core/messages/index.ts';
import type { CommandNumber, TimeMs, UserId } from '../../core/money/index.ts';
import { migrate, type OwnConnection } from '../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../infra/projections/index.ts';
import { openRegistryForTest } from '../auth/registry-for-test.ts';
import type { CheckContext, Walked } from './check.ts';
import { LOG, readRecordedFrame } from './log-checks.ts';
import { atoms, BTC, EngineForTest, SCHEMA } from './tables-for-test.ts';

const TIME_MS = Date.UTC(2026, 0, 1);

describe('log record', () => {
  let connection: OwnConnection;
  let close: () => Promise<void>;
  const engine = new EngineForTest();

  before(async () => {
    const registry = await openRegistryForTest();
    connection = await registry.connection();
    close = async () => {
      await connection.end();
      await registry.close();
    };
    await connection.query(`create schema ${SCHEMA}`);
    await migrate(connection, SCHEMA, readProjectionMigrations());
    await connection.query('set search_path to registry');
    for (const table of ['ledger_entries', 'trades', 'fills']) {
      await connection.query(
        `create table ${SCHEMA}.${table}_of_test partition of ${SCHEMA}.${table} default`,
      );
    }
    await connection.query(
      `insert into ${SCHEMA}.projection (events_sequence, chain_hash, frame_sequence, part,
         is_complete, frame_events, projected_to, orders_per_partition)
       values (1, decode(repeat('00', 32), 'hex'), 0, 0, true, 1, now(), 1000)`,
    );
    engine.frame = 0;
    engine.log.start({ sequence: 0, commandsApplied: 0, channelSequences: [] });
  });

  after(() => close());

  /** Adds frames to the log and the tables. Each credits one user, with two entries. */
  async function addFrames(count: number): Promise<void> {
    const from = engine.frame + 1;
    for (let added = 0; added < count; added++) {
      const sequence = ++engine.frame;
      const timeMs = (TIME_MS + sequence) as TimeMs;
      const command = sequence as CommandNumber;
      const event = { kind: 'DepositCredited', command, user: 7 as UserId, asset: BTC } as const;
      const events: EventFrame['events'] = [{ ...event, amountAtoms: atoms(1), reference: 'r' }];
      const frame = { sequence, epoch: 1, timeMs, previousHash: new Uint8Array(), commands: [] };
      engine.log.add(frame, { sequence, timeMs, firstCommand: command, events }, []);
    }
    await connection.query(
      `insert into ${SCHEMA}.ledger_entries (owner, asset_id, frame, event_index, posting_index,
         available_change_atoms, held_change_atoms, cause_kind, cause_id, command, reference,
         recorded_at)
       select owner, 1, frame, 0, 0, case owner when 7 then 100000000 else -100000000 end, 0,
         'deposit', frame, frame, 'r', to_timestamp(($3 + frame) / 1000.0)
       from generate_series($1::bigint, $2) frame, unnest(array[7, -1]) owner`,
      [from, engine.frame, TIME_MS],
    );
    await connection.query(`update ${SCHEMA}.projection set frame_sequence = $1`, [engine.frame]);
  }

  async function walk(from?: readonly string[]): Promise<Walked> {
    const context = { connection, projectionSchema: SCHEMA, engine, nowMs: 0, rowsMax: 10_000 };
    const walked = await LOG.walk(context as CheckContext, from);
    assert.notEqual(walked, 'later');
    return walked as Walked;
  }

  const ranges = async () => {
    const { rows } = await connection.query(
      `select concat_ws(' ', from_frame, to_frame, entries, is_from_log) as text
       from log_ranges order by from_frame`,
    );
    return rows.map(({ text }) => text);
  };

  const changeEntry = (frame: number, by: number) =>
    connection.query(
      `update ${SCHEMA}.ledger_entries set available_change_atoms = available_change_atoms + $2
       where frame = $1 and owner = 7`,
      [frame, by],
    );

  test('a range grows until it is full, and the next one follows', async () => {
    await addFrames(3);
    assert.deepEqual((await walk()).differences, []);
    assert.deepEqual(await ranges(), ['1 3 6 t']);
    await addFrames(3_000);
    assert.deepEqual((await walk()).differences, []);
    assert.deepEqual(await ranges(), ['1 2048 4096 t', '2049 3003 1910 t']);
    await addFrames(1);
    await walk();
    assert.deepEqual(await ranges(), ['1 2048 4096 t', '2049 3004 1912 t']);
    assert.equal(await readRecordedFrame(connection), 0, 'money commands are not recorded yet');
  });

  test('a changed row in an old range is found when the walk reaches it', async () => {
    await changeEntry(5, 1);
    const first = await walk();
    const objects = first.differences.map(({ object }) => object);
    assert.deepEqual(objects, ['ledger entries from frame 1']);
    assert.deepEqual(first.next, ['2048']);
    const second = await walk(first.next);
    assert.deepEqual([second.differences, second.next], [[], undefined]);
    await changeEntry(5, -1);
    assert.deepEqual((await walk()).differences, []);
  });

  test('a changed row in a new frame is found although the walk is elsewhere', async () => {
    await addFrames(2);
    await changeEntry(engine.frame, 1);
    const objects = (await walk()).differences.map(({ object }) => object);
    assert.deepEqual(objects, ['ledger entries from frame 2049']);
    await changeEntry(engine.frame, -1);
  });

  test('frames that the log no longer has are sealed as found', async () => {
    await addFrames(4);
    await connection.query(`insert into log_record values (true, 0, 0, 0)
      on conflict (is_only) do update set ranges_to_frame = 0`);
    await connection.query('delete from log_ranges');
    engine.log.start({
      sequence: engine.frame,
      commandsApplied: engine.frame,
      channelSequences: [],
    });
    await addFrames(2);
    await walk();
    assert.deepEqual(await ranges(), ['1 2048 4096 f', '2049 3010 1924 f']);
    assert.deepEqual((await walk()).differences, []);
    assert.deepEqual((await ranges()).at(-1), '3011 3012 4 t');
    await changeEntry(3_000, 1);
    const objects = (await walk(['2048'])).differences.map(({ object }) => object);
    assert.deepEqual(objects, ['ledger entries from frame 2049']);
  });
});
