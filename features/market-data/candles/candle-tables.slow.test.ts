// Tests candles from real tables: the right ones, from the right end, and never more than the
// limit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MarketId } from '../../../core/money/index.ts';
import type { Connection } from '../../../infra/postgres/index.ts';
import { startPostgresForTest } from '../../../testing/projections/postgres-for-test.ts';
import { candleTables } from './candle-tables.ts';
import type { CandleRange } from './candle-window.ts';

const MINUTE_MS = 60_000;
const [first, second, none] = [1, 2, 9] as MarketId[];
const anyTime: CandleRange = { fromMs: -Infinity, toMs: Infinity, limit: 3, keep: 'first' };

// 20,000 minutes of two markets; the volume exceeds the safe integers.
const FILL = `
  insert into candles
  select m, '1m', to_timestamp(n * 60), n, n + 2, n, n + 1, 9007199254740993 + n, 1, 1
  from generate_series(1, 2) m, generate_series(1, 20000) n;
  insert into candles values (1, '1h', to_timestamp(0), 7, 7, 7, 7, 7, 7, 7);
  analyze`;

/** Runs the query and records the rows that the plan read. */
function watched(connection: Connection) {
  const rowsRead: number[] = [];
  const query = async (text: string, values: unknown[]) => {
    const explained = await connection.query(`explain (analyze, format json) ${text}`, values);
    rowsRead.push(mostRows(explained.rows[0]['QUERY PLAN'][0].Plan));
    return connection.query(text, values);
  };
  return { rowsRead, pool: { query } as Parameters<typeof candleTables>[0] };
}

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

function mostRows(plan: Plan): number {
  const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  return Math.max(plan['Actual Loops'] * rows, ...(plan.Plans ?? []).map(mostRows));
}

test('candles are read from either end, for many markets in one query', async (context) => {
  const postgres = await startPostgresForTest(context);
  const connection = await postgres.schema('candles');
  await connection.query(FILL);
  const { pool, rowsRead } = watched(connection);
  const { read } = candleTables(pool);
  const minutes = async (range: Partial<CandleRange>) => {
    const asked = { ...anyTime, ...range };
    const found = await read({ markets: [second, first, none], resolution: '1m', range: asked });
    assert.deepEqual([...found.keys()], [second, first, none]);
    assert.deepEqual(found.get(none), []);
    assert.deepEqual(found.get(first), found.get(second));
    return found.get(first)?.map(({ startMs }) => startMs / MINUTE_MS);
  };
  assert.deepEqual(await minutes({}), [1, 2, 3]);
  assert.deepEqual(await minutes({ keep: 'last' }), [19_998, 19_999, 20_000]);
  assert.deepEqual(await minutes({ fromMs: 5 * MINUTE_MS, toMs: 6 * MINUTE_MS }), [5, 6]);
  assert.deepEqual(await minutes({ fromMs: 5 * MINUTE_MS + 1 }), [6, 7, 8]);
  assert.deepEqual(await minutes({ keep: 'last', toMs: 9 * MINUTE_MS }), [7, 8, 9]);
  assert.deepEqual(await minutes({ fromMs: 1e14, toMs: 1e18 }), []);
  // Two markets with three candles each, and nothing else.
  assert.ok(Math.max(...rowsRead) <= 6, `${Math.max(...rowsRead)} rows were read`);
});

test('a candle has the values of its row', async (context) => {
  const postgres = await startPostgresForTest(context);
  const connection = await postgres.schema('candles');
  await connection.query(FILL);
  const { read } = candleTables(watched(connection).pool);
  const range = { ...anyTime, limit: 1 };
  const found = await read({ markets: [first], resolution: '1m', range });
  assert.deepEqual(found.get(first), [
    {
      startMs: MINUTE_MS,
      openTicks: 1,
      highTicks: 3,
      lowTicks: 1,
      closeTicks: 2,
      volumeLots: 9_007_199_254_740_994n,
    },
  ]);
});
