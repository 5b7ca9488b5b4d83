// Amendments follow the market's increments and limits, and never go below the filled size.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amendProblem, changeOf } from './amend-rules.ts';
import type { Market } from './order-draft.ts';

const MARKET: Market = {
  code: 'btc-usdt',
  pair_base: 'btc',
  pair_2: 'usdt',
  min_size: '0.001',
  max_size: '10',
  min_price: '100',
  max_price: '100000',
  increment_size: '0.0001',
  increment_price: '0.5',
};
const ORDER = { price: '50000', size: '0.5', filled: '0.2' };

const CASES: readonly (readonly [price: string, size: string, problem: string | undefined])[] = [
  ['50000', '0.5', undefined],
  ['50000.5', '0.3', undefined],
  ['50000.25', '0.5', 'trade.stepOf'],
  ['', '0.5', 'trade.needsPrice'],
  ['5e4', '0.5', 'trade.needsPrice'],
  ['99.5', '0.5', 'trade.atLeast'],
  ['100000.5', '0.5', 'trade.atMost'],
  ['50000', '', 'trade.needsAmount'],
  ['50000', 'x', 'trade.needsAmount'],
  ['50000', '0.50001', 'trade.stepOf'],
  ['50000', '0.0005', 'trade.atLeast'],
  ['50000', '10.0001', 'trade.atMost'],
  ['50000', '0.2', 'trade.moreThanFilled'],
  ['50000', '0.1', 'trade.moreThanFilled'],
];

for (const [price, size, problem] of CASES) {
  test(`${size || 'no size'} at ${price || 'no price'}: ${problem ?? 'can be sent'}`, () => {
    assert.equal(amendProblem({ id: '1', price, size }, ORDER, MARKET)?.word, problem);
  });
}

test('only changed fields are sent', () => {
  const change = (price: string, size: string) => changeOf({ id: '1', price, size }, ORDER);
  assert.equal(change('50000.0', '0.50'), undefined);
  assert.deepEqual(change('50000', '0.6'), { size: '0.6' });
  assert.deepEqual(change('50001', '0.5'), { price: '50001' });
  assert.deepEqual(change('50001', '0.6'), { price: '50001', size: '0.6' });
});
