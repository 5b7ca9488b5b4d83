// The order of a list: the columns that a caller may name, with the default order among equals.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refused } from '../../../protocol/wire/index.ts';
import { orderedRows } from './lists.ts';

const list = {
  rows: (order: string) => `select * from t ${order} limit $1 offset $2`,
  defaultSort: ['t.time', 't.number'],
  sortColumns: {
    side: 't.side',
    time: 't.time',
    status: { by: 't.status' },
    price: { by: 't.price_ticks', needs: 'symbol' },
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

test('a list cannot be sorted by a column that it does not name', () => {
  for (const order_by of ['t.side', 'constructor', '']) {
    assert.equal(refusalOf({ order_by }), 'order_by_unknown');
  }
});

test('abuse 71: a value is sorted only within one symbol', () => {
  const query = { order_by: 'price' };
  assert.equal(refusalOf(query), 'order_by_needs_filter');
  const filtered = { ...query, symbol: 'btc-usdt' };
  assert.match(`${orderedRows(filtered, list)}`, /order by t\.price_ticks desc, t\.time desc/);
});
