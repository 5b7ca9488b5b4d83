// Request lists over many rows use an index, for users and operators, with every filter: EXPLAIN
// runs on the statements that the gateway sends.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { transferSortColumns } from '../../features/payments/http/transfer-list.ts';
import { type RequestFilter, requestList } from '../../features/payments/request-lists.ts';
import { type Connection, migrate } from '../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { orderedRows } from '../../platform/http/index.ts';
import { startPostgresForTest } from '../projections/postgres-for-test.ts';

const WITHDRAWALS = 250_000;
// The same queries and indexes as for withdrawals.
const DEPOSITS = 200_000;

// 2,000 users and eight currencies, with a request every seven seconds. Few have any flag.
const FILL = `
  insert into users (email, username, affiliation_code)
  select 'u' || n || '@example.com', 'u' || n, upper(lpad(to_hex(n), 6, '0'))
  from generate_series(1, 2000) n;
  -- Changes of these rows have no readers.
  alter table withdrawal_requests disable trigger user;
  alter table deposit_requests disable trigger user;
  insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
    fee_asset_id, fee_currency, fee_scale, fee_atoms, address, transaction_id, state, command,
    created_at)
  select 'withdrawal', n % 2000 + 1, n % 8 + 1, 'c' || n % 8, 8, 1, 1, 'c0', 8, 0,
    'address ' || n % 5000, 'tx ' || n,
    case when n % 1002 = 0 then 'rejected' when n % 1503 = 0 then 'canceled'
      when n % 5000 = 0 then 'claimed' when n % 5500 = 0 then 'in_review'
      when n % 500 = 0 then 'approved' else 'completed' end,
    n, moment(n)
  from generate_series(1, ${WITHDRAWALS}) n;
  insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms, address,
    transaction_id, state, processing, waiting, command, created_at)
  select 'deposit', n % 2000 + 1, n % 8 + 1, 'c' || n % 8, 8, 1, 'address ' || n % 5000, 'tx ' || n,
    case when n % 1002 = 0 then 'rejected' when n % 1503 = 0 then 'canceled'
      when n % 500 = 0 then 'pending' else 'completed' end,
    n % 5000 = 0, n % 5500 = 0, n, moment(n)
  from generate_series(1, ${DEPOSITS}) n;
  analyze`;

const HOUR = { from: new Date('2025-01-10T10:00:00Z'), to: new Date('2025-01-10T11:00:00Z') };
const user = 5 as UserId;

const filters: [string, RequestFilter][] = [
  ['nothing', {}],
  ['a user', { user }],
  ['a user and a currency', { user, currency: 'c4' }],
  ['a user and completed', { user, status: true }],
  ['a user and dates', { user, from: HOUR.from, to: new Date('2025-01-15T00:00:00Z') }],
  ['a user and an address', { user: 1 as UserId, address: 'address 4000' }],
  ['an ID', { id: 777 }],
  ['a currency', { currency: 'c3' }],
  ['a transaction', { transactionId: 'tx 777' }],
  ['an address', { address: 'address 777' }],
  ['completed', { status: true }],
  ['not completed', { status: false }],
  ['dismissed', { dismissed: true }],
  ['rejected', { rejected: true }],
  ['processing', { processing: true }],
  ['waiting', { waiting: true }],
  ['dates', HOUR],
  ['neither dismissed nor rejected', { dismissed: false, rejected: false }],
];

/** A page plus the rows that a filter drops before it; far below the size of a table. */
const ROWS_READ_MAX = 5_000;
const COUNTED_MAX = 500;

let connection: Connection;
let stop: () => Promise<void> = async () => {};

describe('a request list over many rows', () => {
  before(async () => {
    const postgres = await startPostgresForTest({
      after: (end) => {
        stop = end;
      },
    });
    await postgres.schema('rialto');
    const own = await postgres.session('registry');
    await migrate(own, 'registry', readRegistryMigrations());
    await own.query(
      `create function moment(n bigint) returns timestamptz immutable language sql as
       $$ select timestamptz '2025-01-01T00:00:00Z' + n * interval '7 seconds' $$`,
    );
    await own.query(FILL);
    connection = own;
  });
  after(() => stop());

  for (const type of ['withdrawal', 'deposit'] as const) {
    for (const [name, filter] of filters) {
      test(`${type}s by ${name} use an index`, async () => {
        const list = requestList(type, filter, 'rialto');
        const { count, values } = list;
        const rows = orderedRows(
          {},
          { ...list, sortColumns: transferSortColumns(list.defaultSort) },
        );
        await check(`${rows}`, [...values, 50, 0]);
        await check(count, [...values, COUNTED_MAX]);
      });
    }
  }
});

async function check(text: string, values: unknown[]): Promise<void> {
  const { rows } = await connection.query(`explain (analyze, format json) ${text}`, values);
  const scans = scansOf(rows[0]['QUERY PLAN'][0].Plan);
  const most = Math.max(...scans.map((scan) => scan.rows));
  assert.ok(most <= ROWS_READ_MAX, `one scan reads ${most} rows: ${JSON.stringify(scans)}`);
  assert.deepEqual(
    scans.filter(({ how, table }) => how === 'Seq Scan' && table.endsWith('_requests')),
    [],
  );
  const found = (await connection.query(text, values)).rows;
  const count = 'count' in (found[0] ?? {}) ? Number(found[0].count) : found.length;
  assert.ok(count > 0, 'it returns rows');
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Returns every table that is read, and how many of its rows. */
function scansOf(plan: Plan): { table: string; how: string; rows: number }[] {
  const below = (plan.Plans ?? []).flatMap(scansOf);
  const table = plan['Relation Name'];
  const loops = plan['Actual Loops'];
  if (table === undefined || loops === 0) return below;
  const rows = loops * (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0));
  return [{ table, how: plan['Node Type'], rows }, ...below];
}
