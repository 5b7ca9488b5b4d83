// Every gateway list over 800,000 rows uses an index: the test runs EXPLAIN for each statement with
// the HTTP gateway's sort order and the filters that callers use, and accepts no full scan of a
// partition with rows.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Connection } from '../../infra/postgres/index.ts';
import {
  BALANCES_OF_USER,
  fillsOfUser,
  makeMonthPartitions,
  makeOrderPartition,
  monthOf,
  ORDER_BY_NUMBER,
  ORDERS_BY_CLIENT_ID,
  ordersOfUser,
  publicTrades,
} from '../../infra/projections/index.ts';
import { orderedRows } from '../../platform/http/index.ts';
import { type PostgresForTest, startPostgresForTest } from './postgres-for-test.ts';

const SCHEMA = 'plans';
const FIRST_MS = Date.parse('2026-01-15T00:00:00Z');
const [FROM, TO] = ['2026-02-03T10:00:00Z', '2026-02-03T11:00:00Z'];

// 500,000 orders, 100,000 trades and 200,000 fills, over six weeks.
const FILL = `
  insert into orders
  select n, n % 1000 + 1, 0, n % 8 + 1, case n % 2 when 0 then 'buy' else 'sell' end, 'limit',
    'GTC', 'off', false, false, 100, 10, 0, 0, 0, 0, 0, 0,
    case when n % 50 = 0 then 'new' when n % 3 = 0 then 'filled' else 'canceled' end,
    case when n % 50 = 0 then null when n % 3 = 0 then 'filled' else 'canceled_by_user' end,
    case when n % 2 = 0 then 'c' || n else '' end, '', at(n), n, null, at(n), n
  from generate_series(1, 500000) n;
  insert into minutes select date_trunc('minute', at(n)), min(n) from generate_series(1, 500000) n
  group by 1;
  insert into trades
  select n, n % 8 + 1, 2, 1, 'buy', 100, 10, n, n + 1, n % 1000 + 1, (n + 7) % 1000 + 1, 1, 1, 0, 0,
    false, false, n, n, at(n * 5)
  from generate_series(1, 100000) n;
  insert into fills
  select case side when 'maker' then n % 1000 else (n + 7) % 1000 end + 1, n, side, n % 8 + 1,
    'buy', 100, 10, 1, n, 1, 0, false, at(n * 5)
  from generate_series(1, 100000) n, unnest(array['maker', 'taker']) side;
  insert into balances select o, a, 1, 1, now(), 1
  from generate_series(1, 2000) o, generate_series(1, 9) a;
  insert into markets
  select m, 'm' || m, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 'full', now(), now()
  from generate_series(1, 8) m;
  analyze`;

const PAGE = [50, 0];
const ANY_TIME = [null, null];
const HOUR = [FROM, TO];
const NO_FILTERS = [null, null, null, null];

const page = (list: typeof ordersOfUser, order: 'asc' | 'desc' = 'desc') =>
  `${orderedRows({ order }, { ...list, sortColumns: {} })}`;
const ORDERS = page(ordersOfUser);
const FILLS = page(fillsOfUser);
const TRADES = page(publicTrades);

/** Name, statement and values. */
const lists: [string, string, unknown[]][] = [
  ['orders of a user', ORDERS, [5, null, null, null, null, ...ANY_TIME, ...PAGE]],
  ['orders, oldest first', page(ordersOfUser, 'asc'), [5, ...NO_FILTERS, ...ANY_TIME, ...PAGE]],
  ['orders of a user in a market', ORDERS, [5, 5, null, null, null, ...ANY_TIME, ...PAGE]],
  ['orders of a user by side', ORDERS, [5, null, 'buy', null, null, ...ANY_TIME, ...PAGE]],
  ['orders of a user by status', ORDERS, [5, null, null, 'filled', null, ...ANY_TIME, ...PAGE]],
  ['open orders of a user', ORDERS, [51, null, null, null, true, ...ANY_TIME, ...PAGE]],
  ['orders of a user by date', ORDERS, [5, ...NO_FILTERS, ...HOUR, ...PAGE]],
  ['the count of orders', ordersOfUser.count, [5, 5, null, null, null, ...ANY_TIME, 100_000]],
  ['an order', ORDER_BY_NUMBER, [77]],
  ['an order by its client id', ORDERS_BY_CLIENT_ID, [5, 'c4']],
  ['trades of a user', FILLS, [5, null, ...ANY_TIME, ...PAGE]],
  ['trades of a user, oldest first', page(fillsOfUser, 'asc'), [5, null, ...ANY_TIME, ...PAGE]],
  ['trades of a user in a market', FILLS, [5, 5, ...ANY_TIME, ...PAGE]],
  ['trades of a user by date', FILLS, [5, null, ...HOUR, ...PAGE]],
  ['the count of trades of a user', fillsOfUser.count, [5, null, ...ANY_TIME, 100_000]],
  ['trades', TRADES, [null, null, ...ANY_TIME, ...PAGE]],
  ['trades in a market', TRADES, [5, null, ...ANY_TIME, ...PAGE]],
  ['trades of a side', TRADES, [null, 'buy', ...ANY_TIME, ...PAGE]],
  ['trades by date', TRADES, [null, null, ...HOUR, ...PAGE]],
  ['balances of a user', BALANCES_OF_USER, [5]],
];

let postgres: PostgresForTest;
let connection: Connection;
let stop: () => Promise<void> = async () => {};

describe('a list over 800,000 rows', () => {
  before(async () => {
    postgres = await startPostgresForTest({
      after: (end) => {
        stop = end;
      },
    });
    connection = await postgres.schema(SCHEMA);
    for (const partition of [0, 1, 2]) await makeOrderPartition(connection, partition, 200_000);
    const month = monthOf(FIRST_MS);
    for (const next of [0, 1, 2]) await makeMonthPartitions(connection, month + next);
    // One order every seven seconds.
    await connection.query(
      `create function at(n bigint) returns timestamptz immutable language sql as
       $$ select to_timestamp(${FIRST_MS / 1_000} + n * 7) $$`,
    );
    await connection.query(FILL);
  });
  after(() => stop());

  for (const [name, text, values] of lists) {
    test(`of ${name} uses an index`, async () => {
      const { rows } = await connection.query(`explain (analyze, format json) ${text}`, values);
      const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
      const read = scansOf(plan).filter(
        (scan) => scan.isWhole && scan.rows > 0 && scan.table !== 'markets',
      );
      assert.deepEqual(read, []);
      const found = await connection.query(text, values);
      assert.ok(found.rows.length > 0, 'it returns rows');
      const most = Math.max(...scansOf(plan).map((scan) => scan.rows));
      assert.ok(most <= ROWS_READ_MAX, `one scan reads ${most} rows`);
    });
  }
});

/** A page plus the rows that a filter drops before it; far below the size of a table. */
const ROWS_READ_MAX = 5_000;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

interface Scan {
  readonly table: string;
  readonly isWhole: boolean;
  readonly rows: number;
}

/** Returns every table that is read, and how. */
function scansOf(plan: Plan): Scan[] {
  const below = (plan.Plans ?? []).flatMap(scansOf);
  const table = plan['Relation Name'];
  const loops = plan['Actual Loops'];
  if (table === undefined || loops === 0) return below;
  const rows = loops * (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0));
  return [{ table, isWhole: plan['Node Type'] === 'Seq Scan', rows }, ...below];
}
