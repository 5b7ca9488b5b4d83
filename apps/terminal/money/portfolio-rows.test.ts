// Rows of the portfolio from the exchange's statistics.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdingsOf, profitRows, valuesOf } from './portfolio-rows.ts';

const day = (total: string) => ({ total });

test('values are the last days, oldest first, then the value now, with their change', () => {
  assert.deepEqual(valuesOf([day('90'), day('100'), day('5')], 2, '120'), {
    totals: ['100', '90', '120'],
    high: '120',
    low: '90',
    ratio: '0.200000',
  });
  assert.equal(valuesOf([day('100')], 7, '50').ratio, '-0.500000');
  assert.equal(valuesOf([day('0')], 7, '50').ratio, undefined, 'there is no first value');
  assert.deepEqual(valuesOf([], 7, '50').totals, ['50']);
});

test('holdings have their share, without coins that have no price or no value', () => {
  const row = (coin: string, value: string | undefined) => ({
    coin,
    value,
    name: coin,
    isFiat: false,
    scale: 2,
    total: '1',
    available: '1',
    held: '0',
    allowsDeposit: true,
    allowsWithdrawal: true,
  });
  const rows = [row('btc', '150'), row('eur', '50'), row('eth', '0'), row('xyz', undefined)];
  assert.deepEqual(holdingsOf(rows), [
    { coin: 'btc', value: '150', share: 0.75 },
    { coin: 'eur', value: '50', share: 0.25 },
  ]);
});

test('profit has its total first, then the assets from the best to the worst', () => {
  const rows = profitRows(
    {
      total: '-8.5',
      totalPercentage: '-0.85',
      currency: 'usdt',
      eth: { cumulativePNL: '-10', cumulativePNLPercentage: '-4.2' },
      btc: { cumulativePNL: '1.5', cumulativePNLPercentage: '0.1' },
    },
    'Total',
  );
  assert.deepEqual(
    rows.map(({ name, profit, ratio }) => [name, profit, Number(ratio)]),
    [
      ['Total', '-8.5', -0.0085],
      ['btc', '1.5', 0.001],
      ['eth', '-10', -0.042],
    ],
  );
});
