// Builds longer candles from shorter ones, for resolutions that are not stored. Pure.

import type { Ticks, TimeMs } from '../../../core/money/index.ts';
import type { ChartCandle } from './chart-candle.ts';

/**
 * The candles are in order of time. Pass complete periods: a period that began before the first
 * candle contains only the given part. Periods begin at multiples of their length.
 */
export function foldCandles(candles: readonly ChartCandle[], lengthMs: number): ChartCandle[] {
  const folded: ChartCandle[] = [];
  for (const candle of candles) {
    const startMs = periodStartMs(candle.startMs, lengthMs);
    const last = folded.at(-1);
    if (last?.startMs === startMs) folded[folded.length - 1] = joinedWith(last, candle);
    else folded.push({ ...candle, startMs });
  }
  return folded;
}

export function periodStartMs(timeMs: number, lengthMs: number): TimeMs {
  return (Math.floor(timeMs / lengthMs) * lengthMs) as TimeMs;
}

function joinedWith(first: ChartCandle, later: ChartCandle): ChartCandle {
  return {
    startMs: first.startMs,
    openTicks: first.openTicks,
    highTicks: Math.max(first.highTicks, later.highTicks) as Ticks,
    lowTicks: Math.min(first.lowTicks, later.lowTicks) as Ticks,
    closeTicks: later.closeTicks,
    volumeLots: first.volumeLots + later.volumeLots,
  };
}
