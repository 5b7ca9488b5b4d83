// Tests that conversion paths use active markets with a price, and that requests name listed
// assets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refused } from '../../../protocol/wire/index.ts';
import type { PairEntry } from '../../listings/catalogue-entries.ts';
import type { CatalogueNow, CoinEntry, MarketEntry } from '../../listings/index.ts';
import { type PriceSources, requireAssets, routeBetween } from './market-prices.ts';

const SYMBOLS = ['btc-usdt', 'eth-usdt', 'eth-btc'];
const COINS = ['btc', 'eth', 'usdt'];

/** All three markets have trades; the named pairs or coins are inactive. */
function sourcesWithout(off: readonly string[]): PriceSources {
  const markets = SYMBOLS.map((symbol) => {
    const [base, quote] = symbol.split('-');
    return { symbol, base: { symbol: base }, quote: { symbol: quote } } as MarketEntry;
  });
  const activeOf = <Entry>(symbols: readonly string[]) =>
    new Map(symbols.map((symbol) => [symbol, { symbol, active: !off.includes(symbol) } as Entry]));
  const now = {
    marketsBySymbol: new Map(markets.map((market) => [market.symbol, market])),
    pairs: activeOf<PairEntry>(SYMBOLS),
    coins: activeOf<CoinEntry>(COINS),
  };
  const feed = { get: () => ({ frame: 1, text: '{"open":2,"close":2,"last":2}' }) };
  return { catalogue: { now }, feed };
}

const cases: [title: string, off: string, route: string | undefined][] = [
  ['all are active: directly', '', 'eth-usdt'],
  ['the direct pair is inactive: through one other asset', 'eth-usdt', 'eth-btc btc-usdt'],
  ['the connecting pair is inactive too', 'eth-usdt btc-usdt', undefined],
  ['the connecting coin is inactive', 'eth-usdt btc', undefined],
  ['the coin itself is inactive', 'eth', undefined],
  ['the quote is inactive', 'usdt', undefined],
];

for (const [title, off, expected] of cases) {
  test(`from eth to usdt: ${title}`, () => {
    const route = routeBetween(sourcesWithout(off.split(' ')), { asset: 'eth', quote: 'usdt' });
    assert.equal(route?.map(({ market }) => market.symbol).join(' '), expected);
  });
}

const LISTED = {
  assetsBySymbol: new Map(COINS.map((coin) => [coin, {}])),
  kit: { native_currency: 'usdt' },
} as unknown as CatalogueNow;

const requests: [given: string, assets: string | undefined][] = [
  ['btc,ETH', 'btc eth'],
  ['btc,nope,eth,btc', 'btc eth'],
  ['nope', undefined],
  ['undefined', 'btc eth usdt'],
  ['undefined,btc', 'btc'],
];

for (const [given, expected] of requests) {
  test(`assets=${given} requests ${expected ?? 'nothing and is rejected'}`, () => {
    const asked = requireAssets(LISTED, { assets: given.split(',') });
    const assets = asked instanceof Refused ? undefined : asked.assets.join(' ');
    assert.equal(assets, expected);
  });
}
