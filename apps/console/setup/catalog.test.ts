// The catalog: every asset passes the checks of the listing wizard, and so does every market that
// setup suggests, over prices from a fraction of a cent to a million.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areAllOk, checkCoin, checkPair } from '../markets/listing-checks.ts';
import { CATALOG, coinOf, marketOf, suggestedMarkets } from './catalog.ts';

test('every asset of the catalog can be listed', () => {
  assert.equal(new Set(CATALOG.map(({ symbol }) => symbol)).size, CATALOG.length);
  for (const asset of CATALOG) {
    const lines = checkCoin(coinOf(asset, '1'), []);
    assert.ok(areAllOk(lines), `${asset.symbol} ${JSON.stringify(lines)}`);
  }
});

const PRICES = [
  '0.00021',
  '0.0734',
  '0.5',
  '1',
  '2.37',
  '19',
  '148.2',
  '2500',
  '61234.5',
  '999999',
];

test('suggested markets can be listed at every price', () => {
  const known = CATALOG.map(({ decimals, symbol }) => ({ symbol, decimals: Number(decimals) }));
  const quotes = known.filter(({ symbol }) => ['usdt', 'usd'].includes(symbol));
  for (const quote of quotes) {
    for (const base of known.filter(({ symbol }) => symbol !== quote.symbol)) {
      // Two decimals of a currency cannot quote less than a cent.
      for (const price of PRICES.filter((one) => quote.decimals > 2 || Number(one) >= 1)) {
        const draft = marketOf(base, quote, price);
        assert.ok(draft !== undefined);
        const name = `${base.symbol}-${quote.symbol} at ${price}: ${JSON.stringify(draft)}`;
        const lines = checkPair(draft, known, []);
        assert.deepEqual(
          lines.filter(({ isOk }) => !isOk),
          [],
          name,
        );
      }
    }
  }
});

test('markets are suggested against the listed quotes, once each', () => {
  const pairs = (coins: string[], listed: string[] = []) =>
    suggestedMarkets(coins, listed)
      .map((pair) => pair.join('-'))
      .join(' ');
  assert.equal(pairs(['btc', 'usdt']), 'btc-usdt');
  assert.equal(pairs(['btc', 'usdt'], ['btc-usdt']), '');
  assert.equal(pairs(['btc', 'eth']), '', 'no quote is listed');
  assert.equal(pairs(['btc', 'eur', 'usdt']), 'btc-usdt btc-eur usdt-eur');
});
