// The market data over real flows: equal to naive computations over all trades of the engine, and
// the same after being saved and restored at any frame.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drive, type FlowName, Random } from '../../testing/flows/index.ts';
import { naiveCandles, naiveTicker } from '../../testing/market-data/naive-market-data.ts';
import { makeEngine } from '../../testing/properties/tested-exchange.ts';
import type { EventFrame } from '../messages/index.ts';
import { MarketData } from './market-data.ts';
import { type MarketTrade, marketTradeOf } from './market-trade.ts';
import { MarketDataRestorer, saveMarketData } from './saved-market-data.ts';

function framesOf(flow: FlowName, seed: number): EventFrame[] {
  const { apply } = makeEngine();
  return [...drive({ flow, seed, commands: 4_000, apply })].map(({ seen }) => seen);
}

function apply(data: MarketData, { events, timeMs }: EventFrame): void {
  for (const event of events) data.apply(event, timeMs);
}

function restored(data: MarketData): MarketData {
  const restorer = new MarketDataRestorer();
  // Through JSON, as it is stored.
  for (const row of saveMarketData(data)) {
    assert.ok(restorer.take(JSON.parse(JSON.stringify(row))));
  }
  assert.equal(restorer.take(['account', 1]), false);
  return restorer.finish();
}

for (const flow of ['calm', 'flash-crash', 'thin-pairs'] as const) {
  test(`market data of the ${flow} flow equal naive computations`, () => {
    const data = new MarketData();
    const trades = new Map<number, MarketTrade[]>();
    let [house, direct, nowMs] = [0, 0, 0];
    for (const frame of framesOf(flow, 3)) {
      apply(data, frame);
      nowMs = frame.timeMs;
      for (const event of frame.events) {
        if (event.kind !== 'TradeExecuted') continue;
        if (event.house) house += 1;
        const trade = marketTradeOf(event, frame.timeMs);
        if (trade === undefined) direct += 1;
        else trades.set(trade.market, [...(trades.get(trade.market) ?? []), trade]);
      }
    }
    assert.ok(trades.size > 0);
    if (flow === 'thin-pairs') assert.ok(house > 0 && direct > 0);
    for (const [id, { candles, day, trades: last }] of data.markets) {
      const all = trades.get(id) ?? [];
      for (const series of candles) {
        assert.deepEqual(series.last, naiveCandles(series.resolution, all).slice(-2));
      }
      day.moveTo(nowMs as EventFrame['timeMs']);
      assert.deepEqual(day.ticker, naiveTicker(all, nowMs));
      assert.deepEqual(last.newestFirst, all.slice(-50).reverse());
    }
  });

  test(`restored anywhere in the ${flow} flow, market data continue unchanged`, () => {
    const random = new Random(11);
    let data = new MarketData();
    const straight = new MarketData();
    for (const frame of framesOf(flow, 4)) {
      apply(data, frame);
      apply(straight, frame);
      if (!random.chance(4)) continue;
      assert.deepEqual([...saveMarketData(data)], [...saveMarketData(straight)]);
      data = restored(data);
      assert.deepEqual([...saveMarketData(data)], [...saveMarketData(straight)]);
      for (const id of data.markets.keys()) {
        assert.deepEqual(data.orders.topOf(id, 1_000), straight.orders.topOf(id, 1_000));
      }
    }
    assert.deepEqual([...saveMarketData(data)], [...saveMarketData(straight)]);
  });
}

test('changes are taken once, with the market and its new trades', () => {
  const data = new MarketData();
  let tradeCount = 0;
  for (const frame of framesOf('calm', 5)) {
    apply(data, frame);
    const traded = frame.events.filter(({ kind }) => kind === 'TradeExecuted').length;
    const changes = [...data.takeChanges()];
    assert.equal(changes.flatMap(({ newTrades }) => newTrades).length, traded);
    assert.deepEqual([...data.takeChanges()], []);
    tradeCount += traded;
  }
  assert.ok(tradeCount > 100);
});
