// Fee matrix and proposal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tier } from '../../../client/index.ts';
import { feeRows, feesBody, isComplete, isRate, ratesOf, withRates } from './fee-view.ts';

function tier(name: string, rate: string): Tier {
  const rates = { 'btc-usdt': rate, 'btc-eur': rate };
  return { name, fees: { maker: rates, taker: rates } } as unknown as Tier;
}

const ROWS = feeRows({
  '10': tier('top', '0.05'),
  '1': tier('basic', '0.2'),
  '2': tier('vip', '0.1'),
});

test('markets are sorted by name, tiers by level', () => {
  assert.deepEqual(
    ROWS.map(({ pair, tier: level, tierName }) => `${pair} ${level} ${tierName}`),
    [
      'btc-eur 1 basic',
      'btc-eur 2 vip',
      'btc-eur 10 top',
      'btc-usdt 1 basic',
      'btc-usdt 2 vip',
      'btc-usdt 10 top',
    ],
  );
});

test('a proposal has only rates that differ from the current ones', () => {
  const [row] = ROWS;
  const changed = withRates({}, row, { maker: '0.1', taker: '0.2' });
  assert.deepEqual(changed, { 'btc-eur 1': { maker: '0.1', taker: '0.2' } });
  assert.deepEqual(ratesOf(row, changed), { maker: '0.1', taker: '0.2' });
  assert.deepEqual(ratesOf(ROWS[1], changed), ROWS[1].rates);
  assert.deepEqual(withRates(changed, row, { maker: '0.20', taker: '0.2' }), {});
});

test('request bodies are grouped by market and tier', () => {
  const one = withRates({}, ROWS[0], { maker: '0.1', taker: '0.1' });
  const two = withRates(one, ROWS[5], { maker: '0', taker: '0.01' });
  assert.deepEqual(feesBody(two), {
    'btc-eur': { '1': { maker: '0.1', taker: '0.1' } },
    'btc-usdt': { '10': { maker: '0', taker: '0.01' } },
  });
});

test('a proposal is complete if it has at least one rate and every rate is valid', () => {
  assert.equal(isComplete({}), false);
  assert.equal(isComplete(withRates({}, ROWS[0], { maker: '0', taker: '0.1' })), true);
  assert.equal(isComplete(withRates({}, ROWS[0], { maker: '', taker: '0.1' })), false);
  assert.deepEqual(['0', '10', '10.1', '-1', 'x', ''].map(isRate), [
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
