// Tests that candles of unstored resolutions are folded from shorter ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChartCandle } from './chart-candle.ts';
import { foldCandles, periodStartMs } from './fold-candles.ts';

const MINUTE_MS = 60_000;

type Short = [minute: number, open: number, high: number, low: number, close: number, lots: bigint];

function candle([minute, open, high, low, close, volumeLots]: Short): ChartCandle {
  const ticks = { openTicks: open, highTicks: high, lowTicks: low, closeTicks: close };
  return { startMs: minute * MINUTE_MS, ...ticks, volumeLots } as ChartCandle;
}

const cases: { title: string; given: Short[]; folded: Short[] }[] = [
  { title: 'no candles stay no candles', given: [], folded: [] },
  {
    title: 'two in one period become one',
    given: [
      [30, 10, 12, 9, 11, 5n],
      [45, 11, 15, 10, 14, 7n],
    ],
    folded: [[30, 10, 15, 9, 14, 12n]],
  },
  {
    title: 'the low and high of the first count too',
    given: [
      [0, 10, 20, 1, 11, 1n],
      [15, 11, 12, 10, 10, 1n],
    ],
    folded: [[0, 10, 20, 1, 10, 2n]],
  },
  {
    title: 'a single one moves to the start of its period',
    given: [[15, 1, 2, 1, 2, 3n]],
    folded: [[0, 1, 2, 1, 2, 3n]],
  },
  {
    title: 'adjacent candles of two periods stay two, and a gap stays a gap',
    given: [
      [15, 1, 1, 1, 1, 1n],
      [30, 2, 2, 2, 2, 2n],
      [120, 3, 3, 3, 3, 4n],
    ],
    folded: [
      [0, 1, 1, 1, 1, 1n],
      [30, 2, 2, 2, 2, 2n],
      [120, 3, 3, 3, 3, 4n],
    ],
  },
  {
    title: 'volumes beyond the safe integers stay exact',
    given: [
      [0, 1, 1, 1, 1, 9_007_199_254_740_993n],
      [15, 1, 1, 1, 1, 9_007_199_254_740_993n],
    ],
    folded: [[0, 1, 1, 1, 1, 18_014_398_509_481_986n]],
  },
];

for (const { folded, given, title } of cases) {
  test(`folding: ${title}`, () => {
    assert.deepEqual(foldCandles(given.map(candle), 30 * MINUTE_MS), folded.map(candle));
  });
}

test('a period begins at a multiple of its length', () => {
  assert.equal(periodStartMs(0, 100), 0);
  assert.equal(periodStartMs(99, 100), 0);
  assert.equal(periodStartMs(100, 100), 100);
});
