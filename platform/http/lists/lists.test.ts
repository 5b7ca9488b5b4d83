// The order of a list: the columns that a caller may name, with the default order among equals.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pool } from '../../../infra/postgres/index.ts';
import { FakeClock } from '../../../infra/process/clock-for-test.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerList, orderedRows } from './lists.ts';

const list = {
  rows: (order: string) => `select * from t ${order} limit $1 offset $2`,
  defaultSort: ['t.time', 't.number'],
  sortColumns: {
    side: 't.side',
    time: 't.time',
    status: { by: 't.status' },
    price: { by: 't.price_ticks', narrowedBy: 'symbol' },
  },
} as const;

const orders: [query: Parameters<typeof orderedRows>[0], order: string][] = [
  [{}, 'order by t.time desc, t.number desc'],
  [{ order: 'asc' }, 'order by t.time asc, t.number asc'],
  [{ order_by: 'side', order: 'asc' }, 'order by t.side asc, t.time asc, t.number asc'],
  [{ order_by: 'time' }, 'order by t.time desc, t.number desc'],
  [{ order_by: 'status' }, 'order by t.status desc, t.time desc, t.number desc'],
];

function refusalOf(query: { readonly order_by: string }): string {
  const refused = orderedRows(query, list);
  return refused instanceof Refused ? refused.key : refused;
}

for (const [query, order] of orders) {
  test(`${JSON.stringify(query)} is ${order}`, () => {
    assert.equal(orderedRows(query, list), `select * from t ${order} limit $1 offset $2`);
  });
}

test('a list cannot be sorted by an unlisted column', () => {
  for (const order_by of ['t.side', 'constructor', '']) {
    assert.equal(refusalOf({ order_by }), 'order_by_unknown');
  }
});

test('a value is sorted across all markets', () => {
  const statement = orderedRows({ order_by: 'price' }, list);
  assert.match(`${statement}`, /order by t\.price_ticks desc, t\.time desc/);
});

/** Reads a list of which the database counts so many rows; `counted` has the bounds of counts. */
async function readOf(rowCount: number, query: object) {
  const counted: unknown[] = [];
  const client = {
    async query(text: string, values: readonly unknown[] = []) {
      if (text !== 'count') return { rows: [] };
      counted.push(values[0]);
      return { rows: [{ count: Math.min(rowCount, Number(values[0] ?? rowCount)) }] };
    },
    release() {},
  };
  const pool = { options: { max: 4 }, connect: async () => client } as unknown as Pool;
  const call = { query: { limit: 50, page: 1, ...query }, caller: undefined, address: '::1' };
  const answer = await answerList(
    { ...call, charge: () => undefined },
    {
      ...list,
      pool,
      clock: new FakeClock(),
      count: 'count',
      values: [],
      write: () => '',
      fileName: '',
    },
  );
  return { counted, said: answer instanceof Refused ? answer.key : 'rows' };
}

const sorts: [rows: number, query: object, said: string][] = [
  [10_000, { order_by: 'price' }, 'rows'],
  [10_001, { order_by: 'price' }, 'order_by_needs_filter'],
  [10_001, { order_by: 'price', symbol: 'btc-usdt' }, 'order_by_too_many_rows'],
  [10_001, { order_by: 'price', format: 'all' }, 'order_by_needs_filter'],
  [10_001, { order_by: 'status' }, 'order_by_too_many_rows'],
  [10_001, { order_by: 'side' }, 'rows'],
];

for (const [rows, query, said] of sorts) {
  test(`${rows} rows ordered as ${JSON.stringify(query)}: ${said}`, async () => {
    assert.equal((await readOf(rows, query)).said, said);
  });
}

test('abuse 71: rows to sort are counted only up to the limit, even for all rows', async () => {
  for (const format of [undefined, 'all', 'csv']) {
    const { counted } = await readOf(5_000_000, { order_by: 'price', format });
    assert.deepEqual(counted, [10_001]);
  }
});
