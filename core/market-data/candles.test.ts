// Candles by example, and against a naive computation over all trades.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromPlain } from '../../testing/market-data/from-plain.ts';
import { naiveCandles } from '../../testing/market-data/naive-market-data.ts';
import { randomTrades } from '../../testing/market-data/random-trades.ts';
import type { TradeExecuted } from '../messages/index.ts';
import type { TimeMs } from '../money/index.ts';
import { type Candle, CandleSeries, candlesOf, mergeCandles } from './candles.ts';
import { type MarketTrade, marketTradeOf } from './market-trade.ts';
import { RESOLUTIONS } from './resolutions.ts';

function trade(time: string, priceTicks: number, sizeLots: number, house = false): MarketTrade {
  const timeMs = Date.parse(`2024-03-03T${time}Z`);
  const quoteAtoms = BigInt(priceTicks * sizeLots);
  return fromPlain<MarketTrade>({ timeMs, priceTicks, sizeLots, quoteAtoms, house });
}

test('a candle has the first, highest, lowest and last price, and the totals', () => {
  const trades = [
    trade('10:00:00.000', 50, 2),
    trade('10:00:20.000', 70, 1),
    trade('10:00:40.000', 40, 3),
    trade('10:00:59.999', 60, 4),
    trade('10:02:00.000', 55, 5),
  ];
  assert.deepEqual(candlesOf('1m', trades), [
    {
      startMs: Date.parse('2024-03-03T10:00:00Z'),
      tradeCount: 4,
      openTicks: 50,
      highTicks: 70,
      lowTicks: 40,
      closeTicks: 60,
      volumeLots: 10n,
      quoteVolumeAtoms: 530n,
    },
    {
      startMs: Date.parse('2024-03-03T10:02:00Z'),
      tradeCount: 1,
      openTicks: 55,
      highTicks: 55,
      lowTicks: 55,
      closeTicks: 55,
      volumeLots: 5n,
      quoteVolumeAtoms: 275n,
    },
  ]);
});

test('a house trade moves prices and has no volume', () => {
  const trades = [trade('10:00:00.000', 50, 2), trade('10:00:01.000', 90, 7, true)];
  const [{ closeTicks, highTicks, quoteVolumeAtoms, tradeCount, volumeLots }] = candlesOf(
    '1h',
    trades,
  );
  assert.deepEqual([highTicks, closeTicks, volumeLots, quoteVolumeAtoms], [90, 90, 2n, 100n]);
  assert.equal(tradeCount, 1);
});

test('a direct trade, which has no orders, is not part of the market', () => {
  const direct = fromPlain<TradeExecuted>({ takerOrder: 0, makerOrder: 0 });
  assert.equal(marketTradeOf(direct, 5 as TimeMs), undefined);
  const booked = fromPlain<TradeExecuted>({ takerOrder: 8, makerOrder: 7, priceTicks: 3 });
  assert.equal(marketTradeOf(booked, 5 as TimeMs)?.timeMs, 5);
});

test('a trade from before the current candle is a bug', () => {
  const series = new CandleSeries('1m');
  series.add(trade('10:05:00.000', 1, 1));
  assert.throws(() => series.add(trade('10:04:59.999', 1, 1)), /in order of time/);
});

test('candles of any trades equal the naive computation, at every resolution', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), fc.integer({ min: 0, max: 120 }), (seed, count) => {
      const trades = randomTrades(seed, count);
      for (const resolution of RESOLUTIONS) {
        const expected = naiveCandles(resolution, trades);
        assert.deepEqual(candlesOf(resolution, trades), expected);
        const series = new CandleSeries(resolution);
        const seen = new Map<number, Candle>();
        for (const each of trades) {
          series.add(each);
          for (const candle of series.last) seen.set(candle.startMs, candle);
        }
        assert.deepEqual([...seen.values()], expected);
        assert.deepEqual(series.last, expected.slice(-2));
      }
    }),
    { numRuns: 150 },
  );
});

test('each resolution can be built from the previous one', () => {
  const trades = randomTrades(7, 2_000);
  let candles = candlesOf(RESOLUTIONS[0], trades);
  for (const resolution of RESOLUTIONS.slice(1)) {
    candles = mergeCandles(resolution, candles);
    assert.deepEqual(candles, candlesOf(resolution, trades));
  }
  assert.ok(candles.length > 3);
});
