// Lists in sort orders without an index, over PostgreSQL: sorted by the shown values, rejected by
// name beyond a limit, and never blocking other readers.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { openPool, type Pool } from '../../infra/postgres/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import {
  makeOrderPartition,
  orderSortColumns,
  ordersOfUser,
} from '../../infra/projections/index.ts';
import {
  answerList,
  JsonText,
  type ListSource,
  StreamedAnswer,
} from '../../platform/http/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { startPostgresForTest } from './postgres-for-test.ts';

const SCHEMA = 'sorted';
const [HEAVY, HONEST] = [1, 2] as UserId[];
const HEAVY_ORDERS = 60_000;

// The heavy user has 60,000 orders in market 1. The honest user has three in market 2, whose fees
// are in two coins of different scales: 500 atoms are 0.000005 of the base and 5 of the quote. The
// honest user also has one in market 1, where a tick is worth ten times, and a lot half, as much.
const FILL = `
  insert into assets values (1, 'btc', 8, 0, now()), (2, 'usdt', 2, 0, now());
  insert into markets
  select m, case m when 1 then 'xht-usdt' else 'btc-usdt' end, 1, 2, m, case m when 1 then 10
    else 1 end, 1, 1, 1, 1, 1, 1, 1, 0, 0, 'full', now(), now()
  from generate_series(1, 2) m;
  insert into orders
  select n, ${HEAVY}, 0, 1, 'buy', 'limit', 'GTC', 'off', false, false, n * 7919 % 60000 + 1, 10, 0,
    0, 0, 0, 0, 0, 'canceled', 'canceled_by_user', '', '', now(), n, null, now(), n
  from generate_series(1, ${HEAVY_ORDERS}) n;
  insert into orders
  select 60000 + n, ${HONEST}, 0, case n when 4 then 1 else 2 end, side, type, 'GTC', 'off', false,
    false, price, 10, 0, 0, 0, 0, 0, fee, 'canceled', 'canceled_by_user', '', '', now(), n, null,
    now(), n
  from (values (1, 'buy', 'limit', 30, 500), (2, 'sell', 'limit', 20, 500),
    (3, 'sell', 'market', 90, 700), (4, 'buy', 'limit', 10, 1)) as o (n, side, type, price, fee);
  analyze`;

let pool: Pool;
let stop: () => Promise<void> = async () => {};

/** Returns the numbers of the listed orders. The honest user's start at 1. */
async function read(
  user: UserId,
  query: Record<string, string>,
  changes: Partial<ListSource> = {},
) {
  const market = { 'xht-usdt': 1, 'btc-usdt': 2 }[query.symbol ?? ''] ?? null;
  const call = {
    query: { limit: 50, page: 1, ...query },
    caller: { user },
    address: '203.0.113.9',
    charge: () => undefined,
  };
  const answer = await answerList(call, {
    ...ordersOfUser,
    pool,
    clock: systemClock,
    values: [user, market, null, null, null, null, null],
    sortColumns: orderSortColumns(),
    write: (row) => `${Number(row.number) - (user === HONEST ? HEAVY_ORDERS : 0)}`,
    fileName: 'orders',
    ...changes,
  });
  if (answer instanceof Refused) throw new Error(answer.key);
  assert.ok(answer instanceof JsonText);
  return JSON.parse(answer.text) as { count: number; data: number[] };
}

const isRefused = (key: string) => (fault: unknown) =>
  fault instanceof Error && fault.message === key;

describe('a list sorted without an index', () => {
  before(async () => {
    const postgres = await startPostgresForTest({
      after: (end) => {
        stop = async () => {
          await pool?.end();
          await end();
        };
      },
    });
    const connection = await postgres.schema(SCHEMA);
    await makeOrderPartition(connection, 0, 200_000);
    await connection.query(FILL);
    pool = openPool({ ...postgres.connection(SCHEMA), connectionsMax: 4 });
  });
  after(() => stop());

  const btc = { symbol: 'btc-usdt', order: 'asc' };
  const shown: [query: Record<string, string>, numbers: number[]][] = [
    [{}, [4, 3, 2, 1]],
    [{ order_by: 'id', order: 'asc' }, [1, 2, 3, 4]],
    [{ order_by: 'created_at', order: 'asc' }, [1, 2, 3, 4]],
    [{ ...btc, order_by: 'price' }, [3, 2, 1]],
    [{ order_by: 'price', order: 'asc' }, [3, 2, 1, 4]],
    [{ order_by: 'size', order: 'asc' }, [4, 1, 2, 3]],
    [{ ...btc, order_by: 'fee' }, [1, 2, 3]],
    [{ order_by: 'symbol', order: 'asc' }, [1, 2, 3, 4]],
  ];
  for (const [query, numbers] of shown) {
    test(`${JSON.stringify(query)} is sorted by the shown values`, async () => {
      assert.deepEqual(await read(HONEST, query), { count: numbers.length, data: numbers });
    });
  }

  const refused: [query: Record<string, string>, key: string][] = [
    [{ order_by: 'price' }, 'order_by_needs_filter'],
    [{ order_by: 'price', symbol: 'xht-usdt' }, 'order_by_too_many_rows'],
    [{ order_by: 'status' }, 'order_by_too_many_rows'],
    [{ order_by: 'status', format: 'csv' }, 'order_by_too_many_rows'],
    [{ order_by: 'price_ticks' }, 'order_by_unknown'],
    [{ start_date: '2026-02-01', end_date: '2026-01-01' }, 'dates_reversed'],
  ];
  for (const [query, key] of refused) {
    test(`abuse 71: ${JSON.stringify(query)} over 60,000 rows: ${key}`, async () => {
      await assert.rejects(read(HEAVY, query), isRefused(key));
    });
  }

  test('a file without rows has its header', async () => {
    const call = {
      query: { limit: 50, page: 1, format: 'csv' as const },
      caller: { user: HONEST },
      address: '203.0.113.9',
      columns: ['id', 'size'],
      charge: () => undefined,
    };
    const answer = await answerList(call, {
      ...ordersOfUser,
      pool,
      clock: systemClock,
      values: [3, null, null, null, null, null, null],
      sortColumns: orderSortColumns(),
      write: () => '{}',
      fileName: 'orders',
    });
    assert.ok(answer instanceof StreamedAnswer);
    const { chunks, status } = answer.options;
    assert.deepEqual([status, await Array.fromAsync(chunks)], [202, ['id,size\r\n']]);
  });

  test('abuse 71: a page that takes too long is aborted with an error', async () => {
    await assert.rejects(readSlowly(60), isRefused('list_too_slow'));
  });

  test('abuse 71: a user with forty slow lists does not delay other users', async () => {
    let finished = 0;
    const flood = Array.from({ length: 40 }, () =>
      readSlowly(0.3)
        .catch((fault) => assert.ok(isRefused('rate_limit_exceeded')(fault)))
        .finally(() => {
          finished += 1;
        }),
    );
    for (let times = 0; times < 20; times += 1) {
      assert.deepEqual((await read(HONEST, {})).data, [4, 3, 2, 1]);
    }
    assert.ok(finished < 40, 'the honest user was served during that time');
    await Promise.all(flood);
  });
});

/** Reads a page whose rows together take this long. */
function readSlowly(seconds: number) {
  const rows = (order: string) =>
    ordersOfUser.rows(order).replace('o.*', `o.*, pg_sleep(${seconds} / $8::numeric)`);
  return read(HEAVY, {}, { rows });
}
