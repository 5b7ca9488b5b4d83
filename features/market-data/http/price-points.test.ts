// Tests prices over time, along one market or two.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decimalOfRatio,
  type PricedMarket,
  type PriceRoute,
  type Ratio,
  ratioFromDecimal,
} from '../../../core/market-data/index.ts';
import { pointsAlong } from './price-points.ts';

function market(symbol: string): PricedMarket {
  const [base, quote] = symbol.split('-');
  return { symbol, base: { symbol: base }, quote: { symbol: quote } };
}

type Points = [timeMs: number, price: string][];
const first = market('btc-usdt');
const second = market('usdt-eur');
const along = { market: first, isInverse: false };
const both: PriceRoute<PricedMarket> = [along, { market: second, isInverse: false }];

const cases: [string, PriceRoute<PricedMarket>, Record<string, Points>, Points][] = [
  [
    'one market',
    [along],
    {
      'btc-usdt': [
        [1, '10'],
        [2, '12'],
      ],
    },
    [
      [1, '10'],
      [2, '12'],
    ],
  ],
  [
    'one market, inverted',
    [{ market: first, isInverse: true }],
    { 'btc-usdt': [[1, '8']] },
    [[1, '0.125']],
  ],
  ['no points and no prices', [along], { 'btc-usdt': [] }, []],
  ['nowhere', [], {}, []],
  [
    'two markets that move together',
    both,
    {
      'btc-usdt': [
        [1, '10'],
        [2, '20'],
      ],
      'usdt-eur': [
        [1, '0.5'],
        [2, '0.4'],
      ],
    },
    [
      [1, '5'],
      [2, '8'],
    ],
  ],
  [
    'each price applies until the next',
    both,
    {
      'btc-usdt': [
        [1, '10'],
        [4, '20'],
      ],
      'usdt-eur': [
        [2, '0.5'],
        [3, '0.4'],
      ],
    },
    [
      [2, '5'],
      [3, '4'],
      [4, '8'],
    ],
  ],
  [
    'nothing before both have a price',
    both,
    {
      'btc-usdt': [
        [1, '10'],
        [2, '11'],
      ],
      'usdt-eur': [],
    },
    [],
  ],
];

for (const [title, route, points, expected] of cases) {
  test(`prices over time: ${title}`, () => {
    const found = pointsAlong(route, ({ symbol }) =>
      points[symbol].map(([timeMs, text]) => ({ timeMs, price: ratioFromDecimal(text) as Ratio })),
    );
    assert.deepEqual(
      found.map(({ price, timeMs }) => [timeMs, decimalOfRatio(price)]),
      expected,
    );
  });
}
