// The value of assets in other assets, as a table of markets and questions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRoute, type PricedMarket, priceAlong } from './asset-prices.ts';
import { decimalOfRatio, ratioFromDecimal } from './ratio.ts';

/** Last prices by market; null before the first trade. */
type Prices = Record<string, string | null>;

const usual: Prices = {
  'btc-usdt': '20000.5',
  'eth-usdt': '1500',
  'usdt-eur': '0.8',
  'xht-btc': '0.00003',
  'doge-eth': null,
};

const cases: [
  title: string,
  asset: string,
  quote: string,
  price: string | undefined,
  of: Prices,
][] = [
  ['an asset in itself is 1', 'btc', 'btc', '1', usual],
  ['even without any market', 'abc', 'abc', '1', {}],
  ['its own market', 'btc', 'usdt', '20000.5', usual],
  ['the market the other way round', 'usdt', 'btc', '0.0000499987500312492', usual],
  ['over one between', 'btc', 'eur', '16000.4', usual],
  ['over one between, both against', 'eur', 'btc', '0.0000624984375390615', usual],
  ['over one between, with and against', 'btc', 'eth', '13.3336666666666', usual],
  ['over another quote than usdt', 'xht', 'usdt', '0.600015', usual],
  ['two between are too many', 'xht', 'eur', undefined, usual],
  ['a market without a trade leads nowhere', 'doge', 'eth', undefined, usual],
  ['nor over one between', 'doge', 'usdt', undefined, usual],
  ['no market at all', 'abc', 'usdt', undefined, usual],
  ['a price of 0 is none', 'a', 'b', undefined, { 'a-b': '0' }],
  [
    'a market without a trade does not hide the way round it',
    'a',
    'b',
    '6',
    { 'a-b': null, 'a-c': '2', 'c-b': '3' },
  ],
  [
    'the other direction counts when the first has no trade',
    'a',
    'b',
    '0.5',
    { 'a-b': null, 'b-a': '2' },
  ],
  [
    'usdt is the first choice between',
    'a',
    'b',
    '21',
    { 'a-c': '2', 'c-b': '3', 'a-usdt': '7', 'usdt-b': '3' },
  ],
];

for (const [title, asset, quote, expected, prices] of cases) {
  test(`${asset} in ${quote}: ${title}`, () => {
    const markets = new Map<string, PricedMarket>(
      Object.keys(prices).map((symbol) => {
        const [base, of] = symbol.split('-');
        return [symbol, { symbol, base: { symbol: base }, quote: { symbol: of } }];
      }),
    );
    const priceOf = ({ symbol }: PricedMarket) => {
      const text = prices[symbol];
      return text === null ? undefined : ratioFromDecimal(text);
    };
    const hasPrice = (market: PricedMarket) => priceOf(market) !== undefined;
    const route = findRoute({ asset, quote, markets, bridge: 'usdt', hasPrice });
    const price = route && priceAlong(route, priceOf);
    assert.equal(price && decimalOfRatio(price), expected);
  });
}
