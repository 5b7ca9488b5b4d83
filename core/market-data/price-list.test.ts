// The price of every asset in the pricing currency, as a table of markets and last prices.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MarketStatus } from '../messages/index.ts';
import type { AssetId, Atoms, Lots, MarketId, Ticks, TimeMs, TradeNumber } from '../money/index.ts';
import { MarketData } from './market-data.ts';
import { priceList } from './price-list.ts';
import { decimalOfRatio } from './ratio.ts';

/** One tick is 0.5 everywhere. */
type Market = [symbol: string, lastTicks: number, status: MarketStatus];

function dataOf(assets: readonly string[], markets: readonly Market[]): MarketData {
  const data = new MarketData();
  const idOf = (symbol: string) => (assets.indexOf(symbol) + 1) as AssetId;
  for (const symbol of assets) data.listAsset({ asset: idOf(symbol), symbol, scale: 8 });
  markets.forEach(([symbol, lastTicks, status], at) => {
    const [base, quote] = symbol.split('-').map(idOf);
    const market = (at + 1) as MarketId;
    const steps = {
      lotAtoms: 1n as Atoms,
      tickMantissa: 5,
      tickScale: 1,
      tickLotAtoms: 1n as Atoms,
    };
    const referenceTicks = 0 as Ticks;
    data.listMarket({ market, base, quote, ...steps, referenceTicks, status });
    if (lastTicks === 0) return;
    data.market(market).day.add({
      trade: 1 as TradeNumber,
      market,
      timeMs: 60_000 as TimeMs,
      takerSide: 'buy',
      priceTicks: lastTicks as Ticks,
      sizeLots: 1 as Lots,
      quoteAtoms: 1n as Atoms,
      house: false,
    });
  });
  return data;
}

const cases: [title: string, assets: string, markets: string, prices: string][] = [
  ['nothing was traded', 'btc usdt', 'btc-usdt 0', ''],
  ['no market at all', 'btc usdt', '', ''],
  ['in usdt', 'btc usdt', 'btc-usdt 40001', 'btc 20000.5, usdt 1'],
  ['the other way round', 'eur usdt', 'usdt-eur 1', 'eur 2, usdt 1'],
  ['over one between', 'xht btc usdt', 'btc-usdt 8, xht-btc 3', 'xht 6, btc 4, usdt 1'],
  ['some have none', 'abc btc usdt', 'btc-usdt 8, abc-btc 0', 'btc 4, usdt 1'],
  ['no usdt: the first quote with a price', 'btc eur usd', 'btc-usd 0, btc-eur 6', 'btc 3, eur 1'],
  ['a market is gone', 'btc eth usdt', 'btc-usdt 8 delisted, eth-usdt 4', 'eth 2, usdt 1'],
  ['one is switched off', 'btc eth usdt', 'btc-usdt 8 inactive, eth-usdt 4', 'eth 2, usdt 1'],
  ['one between is switched off', 'xht btc usdt', 'btc-usdt 8 inactive, xht-btc 3', 'usdt 1'],
  ['a market pauses', 'btc usdt', 'btc-usdt 8 paused', 'btc 4, usdt 1'],
];

for (const [title, assets, markets, expected] of cases) {
  test(`prices of assets: ${title}`, () => {
    const found = priceList(dataOf(assets.split(' '), listOf(markets)));
    const prices = found.map(({ price, symbol }) => `${symbol} ${decimalOfRatio(price)}`);
    assert.equal(prices.join(', '), expected);
  });
}

function listOf(markets: string): Market[] {
  if (markets === '') return [];
  return markets.split(', ').map((text) => {
    const [symbol, lastTicks, status = 'full'] = text.split(' ');
    return [symbol, Number(lastTicks), status as MarketStatus];
  });
}
