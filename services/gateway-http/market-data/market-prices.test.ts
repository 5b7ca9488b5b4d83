// Conversion paths between assets use active markets that have a price.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MarketEntry } from '../../../domain/catalogue/index.ts';
import type { Dependencies } from '../dependencies.ts';
import { routeBetween } from './market-prices.ts';

const SYMBOLS = ['btc-usdt', 'eth-usdt', 'eth-btc'];
const COINS = ['btc', 'eth', 'usdt'];

/** All three markets have trades; the named pairs or coins are inactive. */
function partsWithout(off: readonly string[]): Pick<Dependencies, 'catalogue' | 'feed'> {
  const markets = SYMBOLS.map((symbol) => {
    const [base, quote] = symbol.split('-');
    return { symbol, base: { symbol: base }, quote: { symbol: quote } } as MarketEntry;
  });
  const activeOf = (symbols: readonly string[]) =>
    new Map(symbols.map((symbol) => [symbol, { symbol, active: !off.includes(symbol) }]));
  const now = {
    marketsBySymbol: new Map(markets.map((market) => [market.symbol, market])),
    pairs: activeOf(SYMBOLS),
    coins: activeOf(COINS),
  };
  const feed = { get: () => ({ frame: 1, text: '{"open":2,"close":2,"last":2}' }) };
  return { catalogue: { now }, feed } as unknown as Pick<Dependencies, 'catalogue' | 'feed'>;
}

const cases: [title: string, off: string, route: string | undefined][] = [
  ['all are on: directly', '', 'eth-usdt'],
  ['the direct pair is off: over one between', 'eth-usdt', 'eth-btc btc-usdt'],
  ['the pair between is off as well', 'eth-usdt btc-usdt', undefined],
  ['the coin between is off', 'eth-usdt btc', undefined],
  ['the coin itself is off', 'eth', undefined],
  ['what prices are said in is off', 'usdt', undefined],
];

for (const [title, off, expected] of cases) {
  test(`from eth to usdt: ${title}`, () => {
    const route = routeBetween(partsWithout(off.split(' ')), { asset: 'eth', quote: 'usdt' });
    assert.equal(route?.map(({ market }) => market.symbol).join(' '), expected);
  });
}
