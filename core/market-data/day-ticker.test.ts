// The rolling day against a naive computation over all trades, with its granularity of minutes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromPlain } from '../../testing/market-data/from-plain.ts';
import { naiveTicker } from '../../testing/market-data/naive-market-data.ts';
import { randomTrades } from '../../testing/market-data/random-trades.ts';
import type { TimeMs } from '../money/index.ts';
import { candlesOf } from './candles.ts';
import { DayTicker, TICKER_MINUTES } from './day-ticker.ts';
import type { MarketTrade } from './market-trade.ts';

const MINUTE_MS = 60_000;
const NOON_MS = Date.UTC(2024, 2, 1, 12);

function trade(timeMs: number, priceTicks: number): MarketTrade {
  const quoteAtoms = BigInt(priceTicks);
  return fromPlain<MarketTrade>({ timeMs, priceTicks, sizeLots: 1, quoteAtoms, house: false });
}

test('a trade leaves the window with its minute, 1,440 minutes after that began', () => {
  const day = new DayTicker();
  day.add(trade(NOON_MS + 59_999, 90));
  day.add(trade(NOON_MS + MINUTE_MS, 50));
  const edgeMs = NOON_MS + 1_440 * MINUTE_MS;
  assert.equal(day.moveTo((edgeMs - 1) as TimeMs), false);
  assert.deepEqual([day.ticker?.openTicks, day.ticker?.volumeLots], [90, 2n]);
  assert.equal(day.moveTo(edgeMs as TimeMs), true);
  assert.deepEqual([day.ticker?.openTicks, day.ticker?.highTicks], [50, 50]);
  assert.equal(day.ticker?.volumeLots, 1n);
});

test('without a trade in the window all prices are the last one, and the volume is zero', () => {
  const day = new DayTicker();
  assert.equal(day.ticker, undefined);
  day.add(trade(NOON_MS, 90));
  day.add(trade(NOON_MS + 5, 70));
  day.moveTo((NOON_MS + 9_999 * MINUTE_MS) as TimeMs);
  assert.deepEqual(day.ticker, {
    openTicks: 70,
    highTicks: 70,
    lowTicks: 70,
    lastTicks: 70,
    volumeLots: 0n,
    quoteVolumeAtoms: 0n,
    tradeCount: 0,
  });
});

test('the ticker equals the naive computation, after every trade and between trades', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), fc.integer({ min: 1, max: 150 }), (seed, count) => {
      const trades = randomTrades(seed, count);
      let day = new DayTicker();
      trades.forEach((each, at) => {
        day.add(each);
        assert.deepEqual(day.ticker, naiveTicker(trades.slice(0, at + 1), each.timeMs));
        const untilMs = trades.at(at + 1)?.timeMs ?? each.timeMs + 3 * 86_400_000;
        const laterMs = Math.floor((each.timeMs + untilMs) / 2);
        day.moveTo(laterMs as TimeMs);
        assert.deepEqual(day.ticker, naiveTicker(trades.slice(0, at + 1), laterMs));
        // Restored from its saved state, it is the same.
        if (at % 7 === 0) day = new DayTicker(day.minutes, day.lastTicks);
      });
    }),
    { numRuns: 150 },
  );
});

test('trades before a window that moved too far count until it moves again', () => {
  const day = new DayTicker();
  day.add(trade(NOON_MS, 90));
  const laterMs = (NOON_MS + 9_999 * MINUTE_MS) as TimeMs;
  day.moveTo(laterMs);
  day.add(trade(NOON_MS + 1, 70));
  day.add(trade(NOON_MS + 2, 75));
  assert.deepEqual([day.ticker?.openTicks, day.ticker?.volumeLots], [70, 2n]);
  assert.equal(day.moveTo(laterMs), true);
  assert.deepEqual([day.ticker?.openTicks, day.ticker?.volumeLots], [75, 0n]);
  assert.throws(() => day.add(trade(NOON_MS - MINUTE_MS, 70)), /in order of time/);
});

test('memory is limited: at most 1,440 minutes are kept', () => {
  const day = new DayTicker();
  const trades = Array.from({ length: 5_000 }, (_, at) =>
    trade(NOON_MS + at * MINUTE_MS, 1 + (at % 1_000)),
  );
  for (const each of trades) day.add(each);
  assert.equal(day.minutes.length, TICKER_MINUTES);
  assert.deepEqual(day.ticker, naiveTicker(trades, trades[4_999].timeMs));
  assert.deepEqual(
    day.hours.map(({ closeTicks }) => closeTicks),
    candlesOf('1h', trades.slice(-1_440)).map(({ closeTicks }) => closeTicks),
  );
  assert.ok(day.hours.length <= 25);
});
