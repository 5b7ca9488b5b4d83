// Reads the requested candles, of stored or longer periods, for one market or many. Limits the
// number of candles per response.

import { type ChartResolutionName, chartResolution } from '../../../protocol/index.ts';
import type { MarketEntry } from '../../listings/index.ts';
import type { CandleMemory } from '../candles/candle-memory.ts';
import type { CandleRange } from '../candles/candle-window.ts';
import type { ChartCandle } from '../candles/chart-candle.ts';
import { foldCandles, periodStartMs } from '../candles/fold-candles.ts';

/** Maximum candles per response, for one market and for each of several. */
export const CHART_CANDLES_MAX = 1_500;
export const CHARTS_CANDLES_MAX = 200;

export interface ChartQuestion {
  readonly markets: readonly MarketEntry[];
  readonly resolution: ChartResolutionName;
  readonly range: CandleRange;
}

/** Returns each market's candles, oldest first. A period without trades has no candle. */
export async function readCharts(
  candles: CandleMemory,
  { markets, range, resolution }: ChartQuestion,
): Promise<ReadonlyMap<MarketEntry, readonly ChartCandle[]>> {
  const { candles: parts, lengthMs, stored } = chartResolution(resolution);
  if (parts === 1) return candles.read(markets, stored, range);
  const found = await candles.read(markets, stored, wholePeriods(range, { parts, lengthMs }));
  const { keep, limit } = range;
  return new Map(
    [...found].map(([market, some]) => {
      const folded = foldCandles(some, lengthMs);
      return [market, keep === 'first' ? folded.slice(0, limit) : folded.slice(-limit)];
    }),
  );
}

/** Returns the stored candles of all periods that begin in the range. */
export function wholePeriods(
  { fromMs, keep, limit, toMs }: CandleRange,
  { lengthMs, parts }: { readonly lengthMs: number; readonly parts: number },
): CandleRange {
  return {
    fromMs: periodStartMs(fromMs + lengthMs - 1, lengthMs),
    toMs: periodStartMs(toMs, lengthMs) + lengthMs - 1,
    limit: limit * parts,
    keep,
  };
}

// Unix seconds of the year 5138. A larger number is taken as milliseconds.
const SECONDS_MAX = 100_000_000_000;

/** Most clients send seconds, some milliseconds. */
export function timeMsOf(given: number): number {
  return given > SECONDS_MAX ? given : given * 1_000;
}
