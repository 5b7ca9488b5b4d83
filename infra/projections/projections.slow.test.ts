// Migrations, the golden schema, COPY, partitions and the switch of schemas, on a real server.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../testing/projections/postgres-for-test.ts';
import { openPool } from '../postgres/connections.ts';
import { CopyRows } from '../postgres/copy-rows.ts';
import { describeSchema } from '../postgres/describe-schema.ts';
import { SchemaFault } from '../postgres/faults.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { checkSchema, type Migration, migrate } from '../postgres/migrations.ts';
import { makeMonthPartitions, makeOrderPartition, monthOf } from './partitions.ts';
import { readProjectionMigrations } from './projection-migrations.ts';
import { switchSchemas } from './switch-schemas.ts';

const GOLDEN = join(import.meta.dirname, 'schema.sql');

let postgres: PostgresForTest;
let stop: () => Promise<void> = async () => {};

describe('PostgreSQL', () => {
  before(async () => {
    postgres = await startPostgresForTest(
      {
        after: (end) => {
          stop = end;
        },
      },
      { isEmpty: true },
    );
  });
  after(() => stop());

  test('processes that migrate at the same time apply each migration once', async () => {
    const sessions = await Promise.all([1, 2, 3, 4].map(() => postgres.session('together')));
    const applied = await Promise.all(
      sessions.map((session) => migrate(session, 'together', readProjectionMigrations())),
    );
    const numbers = applied.flat().map(({ number }) => number);
    assert.deepEqual(numbers, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
    await checkSchema(sessions[0], 'together', readProjectionMigrations());
  });

  test('a schema that is newer, changed or behind is refused', async () => {
    const connection = await postgres.schema('strange');
    const migrations = readProjectionMigrations();
    const older = migrations.slice(0, -1);
    const changed: Migration[] = [{ ...migrations[0], checksum: 'another' }];
    const newer = [...migrations, { number: 18, name: 'next', text: 'select 1', checksum: 'x' }];
    await assert.rejects(migrate(connection, 'strange', older), /is newer: it has migration 17/);
    await assert.rejects(migrate(connection, 'strange', changed), /has changed since strange/);
    await assert.rejects(checkSchema(connection, 'strange', newer), /lacks migration 18/);
    await assert.rejects(
      checkSchema(await postgres.session('none'), 'none', migrations),
      SchemaFault,
    );
  });

  test('entries of existing partitions keep their values and get the new indexes', async () => {
    const connection = await postgres.schema('indexed');
    await connection.query('drop schema indexed cascade');
    const migrations = readProjectionMigrations();
    await migrate(connection, 'indexed', migrations.slice(0, 13));
    await makeMonthPartitions(connection, monthOf(Date.parse('2024-02-29T12:00:00Z')));
    await connection.query(
      `insert into ledger_entries select n % 3, 1, n, 0, 0, n, 0, 'order', n, n, null,
         '2024-02-29T12:00:00Z' from generate_series(1, 30000) n`,
    );
    const before = await connection.query('select * from ledger_entries order by frame');
    await migrate(connection, 'indexed', migrations);
    const after = await connection.query('select * from ledger_entries order by frame');
    assert.deepEqual(after.rows, before.rows);
    const { rows: indexes } = await connection.query(
      `select i.indexrelid::regclass::text as name, am.amname as kind from pg_index i
       join pg_class c on c.oid = i.indexrelid join pg_am am on am.oid = c.relam
       where i.indrelid = 'ledger_entries_2024_02'::regclass order by 1`,
    );
    assert.deepEqual(
      indexes.map(({ kind, name }) => [name, kind]),
      [
        ['ledger_entries_2024_02_command_idx', 'brin'],
        ['ledger_entries_2024_02_frame_recorded_at_idx', 'btree'],
        ['ledger_entries_2024_02_owner_asset_id_recorded_at_idx', 'btree'],
      ],
    );
    await connection.query('analyze ledger_entries');
    const { rows: plan } = await connection.query(
      'explain select * from ledger_entries where command = 20000 and command > 0',
    );
    assert.match(JSON.stringify(plan), /Bitmap Index Scan on ledger_entries_2024_02_command/);
  });

  test('a migration that fails leaves nothing behind', async () => {
    const connection = await postgres.session('torn');
    const broken = { number: 1, name: 'broken', text: 'create table a(); no;', checksum: 'x' };
    await assert.rejects(migrate(connection, 'torn', [broken]), /syntax error/);
    const { rows } = await connection.query("select to_regnamespace('torn') as found");
    assert.equal(rows[0].found, null);
  });

  test('the migrations create the golden schema', async () => {
    const connection = await postgres.schema('golden');
    const found = await describeSchema(connection, 'golden');
    if (process.env.RIALTO_WRITE_GOLDEN === '1') writeFileSync(GOLDEN, found);
    assert.equal(found, readFileSync(GOLDEN, 'utf8'));
  });

  test('rows arrive unchanged, at the limits of each type', async () => {
    const connection = await postgres.session('copied');
    await connection.query(
      `create schema copied;
       create table every (i bigint, b bigint, t timestamptz, f boolean, s text, n text)`,
    );
    const rows = new CopyRows('every', ['i', 'b', 't', 'f', 's', 'n']);
    const times = ['1970-01-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'];
    rows
      .row()
      .integer(-2)
      .bigint(-(2n ** 63n))
      .time(Date.parse(times[0]))
      .boolean(true);
    rows.text('').null();
    rows
      .row()
      .integer(Number.MAX_SAFE_INTEGER)
      .bigint(2n ** 63n - 1n)
      .time(Date.parse(times[1]));
    rows.boolean(false).text('a\tb\\n\n"ä€😀\0').text('x'.repeat(5_000));
    rows
      .row()
      .integer(2 ** 32)
      .bigint(0n)
      .time(Date.parse(times[1]))
      .boolean(false);
    rows.text('last').null();
    await rows.copy(connection);
    // A failed COPY is sent again: the same bytes, as often as needed.
    await rows.copy(connection);
    const found = await connection.query('select distinct i, b, t, f, s, n from every order by i');
    assert.deepEqual(
      found.rows.map(({ b, f, i, n, s, t }) => [i, b, t.toISOString(), f, s, n?.length]),
      [
        ['-2', '-9223372036854775808', times[0], true, '', undefined],
        ['4294967296', '0', times[1], false, 'last', undefined],
        ['9007199254740991', '9223372036854775807', times[1], false, 'a\tb\\n\n"ä€😀\ufffd', 5_000],
      ],
    );
    const count = await connection.query('select count(*)::integer as count from every');
    assert.equal(count.rows[0].count, 6);
  });

  test('a refused COPY is a fault, and the connection stays usable', async () => {
    const connection = await postgres.session('refused');
    await connection.query('create schema refused; create table small (i bigint check (i < 5))');
    const rows = new CopyRows('small', ['i']);
    for (let value = 0; value < 200_000; value++) rows.row().integer(value);
    const work = inTransaction(connection, () => rows.copy(connection));
    await assert.rejects(work, /violates check constraint/);
    const { rows: found } = await connection.query('select count(*)::integer as count from small');
    assert.equal(found[0].count, 0);
  });

  test('a partition is created once, and does not block readers', async () => {
    const connection = await postgres.schema('parts');
    const reader = await postgres.session('parts');
    await reader.query('begin; select * from orders; select * from trades');
    const month = monthOf(Date.parse('2024-02-29T12:00:00Z'));
    for (let turn = 0; turn < 2; turn++) {
      await makeOrderPartition(connection, 3, 1_000);
      await makeMonthPartitions(connection, month);
    }
    await reader.query('commit');
    const { rows } = await connection.query(
      `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound from pg_class c
       where c.relispartition and c.relkind = 'r' and c.relnamespace = 'parts'::regnamespace
       order by 1`,
    );
    const months = "FOR VALUES FROM ('2024-02-01 00:00:00+00') TO ('2024-03-01 00:00:00+00')";
    assert.deepEqual(
      rows.map(({ bound, name }) => [name, bound]),
      [
        ['fills_2024_02', months],
        ['ledger_entries_2024_02', months],
        ['orders_000003', "FOR VALUES FROM ('3000') TO ('4000')"],
        ['trades_2024_02', months],
      ],
    );
  });

  test('a new schema takes the name only if it is not behind', async () => {
    const cursor = (sequence: number) =>
      `insert into projection values (true, ${sequence}, decode(repeat('00', 32), 'hex'), 1, 0,
        true, 0, now(), 1000)`;
    const old = await postgres.schema('serving');
    const next = await postgres.schema('serving_next');
    await old.query(cursor(5));
    await next.query(cursor(4));
    const names = { serving: 'serving', fresh: 'serving_next', retired: 'serving_retired' };
    await assert.rejects(switchSchemas(old, names), /is at message 4, behind serving at 5/);
    await next.query('update projection set events_sequence = 6');
    await switchSchemas(old, names);
    const { rows } = await old.query(
      `select (select events_sequence from serving.projection) as serving,
        (select events_sequence from serving_retired.projection) as retired`,
    );
    assert.deepEqual(rows[0], { serving: '6', retired: '5' });
    await makeOrderPartition(old, 7, 1_000);
    const made = await old.query(`select to_regclass('serving.orders_000007')::text as name`);
    assert.deepEqual(made.rows, [{ name: 'orders_000007' }], 'in the schema of the new name');
  });

  test('a pool is limited, has a name and cancels slow statements', async () => {
    const options = { ...postgres.connection('public'), connectionsMax: 2 };
    const pool = openPool(options);
    const asked = await Promise.all(
      [1, 2, 3, 4].map(() => pool.query("select current_setting('application_name') as name")),
    );
    assert.deepEqual(new Set(asked.map(({ rows }) => rows[0].name)), new Set(['test']));
    assert.ok(pool.totalCount <= 2);
    // On a loaded machine a short statement may take as long: only the long one is tested.
    const hasty = openPool({ ...options, statementTimeoutMs: 200 });
    await assert.rejects(hasty.query('select pg_sleep(60)'), /statement timeout/);
    await Promise.all([pool.end(), hasty.end()]);
  });
});
