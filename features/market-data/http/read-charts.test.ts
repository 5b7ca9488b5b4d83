// Tests that a chart request becomes a query for stored candles, and its rows become JSON.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Atoms } from '../../../core/money/index.ts';
import type { MarketEntry } from '../../listings/index.ts';
import type { CandleMemory } from '../candles/candle-memory.ts';
import type { CandleRange } from '../candles/candle-window.ts';
import type { ChartCandle } from '../candles/chart-candle.ts';
import { chartText, columnsText, noColumnsText } from './chart-texts.ts';
import { readCharts, timeMsOf, wholePeriods } from './read-charts.ts';

const market = {
  symbol: 'btc-usdt',
  tick: { mantissa: 5, scale: 1 },
  lot: { atoms: 10n as Atoms, scale: 3 },
} as MarketEntry;

function candle(startMs: number, close: number, volumeLots = 3n): ChartCandle {
  const ticks = { openTicks: 1, highTicks: close, lowTicks: 1, closeTicks: close };
  return { startMs, ...ticks, volumeLots } as ChartCandle;
}

const range: CandleRange = { fromMs: 0, toMs: 999, limit: 2, keep: 'first' };

/** Returns these candles and records the queries. */
function memoryOf(candles: readonly ChartCandle[]) {
  const asked: unknown[] = [];
  const read = async (markets: readonly MarketEntry[], stored: string, of: CandleRange) => {
    asked.push(stored, of);
    return new Map(markets.map((one) => [one, candles]));
  };
  return { asked, candles: { read } as CandleMemory };
}

test('seconds and milliseconds are distinguished', () => {
  assert.equal(timeMsOf(0), 0);
  assert.equal(timeMsOf(1_700_000_000), 1_700_000_000_000);
  assert.equal(timeMsOf(1_700_000_000_000), 1_700_000_000_000);
  assert.equal(timeMsOf(100_000_000_000), 100_000_000_000_000);
});

test('a range of folded periods reads all candles of these periods and no others', () => {
  const sizes = { lengthMs: 100, parts: 2 };
  const asked = (fromMs: number, toMs: number) => {
    const whole = wholePeriods({ fromMs, toMs, limit: 7, keep: 'last' }, sizes);
    return [whole.fromMs, whole.toMs, whole.limit, whole.keep];
  };
  assert.deepEqual(asked(0, 99), [0, 99, 14, 'last']);
  assert.deepEqual(asked(1, 100), [100, 199, 14, 'last']);
  assert.deepEqual(asked(100, 299), [100, 299, 14, 'last']);
});

test('a stored resolution is read directly, under all its names', async () => {
  for (const resolution of ['60', 'H', '1h', '1H'] as const) {
    const { asked, candles } = memoryOf([]);
    await readCharts(candles, { markets: [market], resolution, range });
    assert.deepEqual(asked, ['1h', range]);
  }
});

test('half hours are folded from quarter hours, from either end', async () => {
  const quarter = 900_000;
  const quarters = [0, 1, 2, 3, 4].map((at) => candle(at * quarter, at + 1));
  const folded = async (keep: 'first' | 'last') => {
    const { asked, candles } = memoryOf(quarters);
    const question = { markets: [market], resolution: '30' as const, range: { ...range, keep } };
    const found = await readCharts(candles, question);
    assert.equal(asked[0], '15m');
    return found.get(market)?.map(({ closeTicks, startMs }) => [startMs / quarter, closeTicks]);
  };
  assert.deepEqual(await folded('first'), [
    [0, 2],
    [2, 4],
  ]);
  assert.deepEqual(await folded('last'), [
    [2, 4],
    [4, 5],
  ]);
});

test('candles are written in the units of their market', () => {
  assert.equal(
    chartText(market, [candle(60_000, 7)]),
    '[{"time":"1970-01-01T00:01:00.000Z","open":0.5,"high":3.5,"low":0.5,"close":3.5' +
      ',"volume":0.03,"symbol":"btc-usdt"}]',
  );
  assert.equal(chartText(market, []), '[]');
});

test('columns have one entry per candle', () => {
  assert.deepEqual(JSON.parse(columnsText(market, [candle(60_000, 7), candle(120_000, 2)])), {
    s: 'ok',
    t: [60, 120],
    o: [0.5, 0.5],
    h: [3.5, 1],
    l: [0.5, 0.5],
    c: [3.5, 1],
    v: [0.03, 0.03],
  });
});

test('an empty response names the last candle before the range', () => {
  const empty = { s: 'no_data', t: [], o: [], h: [], l: [], c: [], v: [] };
  assert.deepEqual(JSON.parse(noColumnsText(undefined)), empty);
  assert.deepEqual(JSON.parse(noColumnsText(candle(60_000, 1))), { ...empty, nextTime: 60 });
});
