// Tiers and limits: order, levels, and which limits make sense.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tier, TransactionLimit } from '../../../client/index.ts';
import { isLimitValid, limitKind, nextLevel, sortedLimits, tierRows } from './tier-view.ts';

test('tiers are in the order of their levels, and a new one is the next', () => {
  const tier = (name: string) => ({ name }) as Tier;
  const rows = tierRows({ 10: tier('ten'), 2: tier('two') });
  assert.deepEqual(
    rows.map(({ tier: { name } }) => name),
    ['two', 'ten'],
  );
  assert.equal(nextLevel(rows), 11);
  assert.equal(nextLevel([]), 1);
});

test('limits are sorted by tier, withdrawals first', () => {
  const limit = (tier: number, type: 'deposit' | 'withdrawal', coin: string) =>
    ({ tier, type, limit_currency: coin }) as TransactionLimit;
  const limits = [limit(2, 'deposit', 'btc'), limit(1, 'deposit', 'eur')];
  const all = [...limits, limit(2, 'withdrawal', 'default'), limit(2, 'withdrawal', 'btc')];
  assert.deepEqual(
    sortedLimits(all).map((one) => `${one.tier} ${one.type} ${one.limit_currency}`),
    ['1 deposit eur', '2 withdrawal btc', '2 withdrawal default', '2 deposit btc'],
  );
});

test('zero is unlimited and minus one is disabled', () => {
  assert.deepEqual(['0', '0.00', '-1', '5'].map(limitKind), [
    'unlimited',
    'unlimited',
    'disabled',
    'amount',
  ]);
});

test('the limit of a month is not below that of a day', () => {
  const isValid = (day: string, month: string) =>
    isLimitValid({ tier: '1', type: 'deposit', coin: 'btc', currency: 'usdt', day, month });
  for (const [day, month, expected] of [
    ['10', '0', true],
    ['10', '10', true],
    ['10', '9', false],
    ['0', '9', false],
    ['', '0', false],
    ['0', '0', true],
  ] as const) {
    assert.equal(isValid(day, month), expected, `${day} ${month}`);
  }
});
