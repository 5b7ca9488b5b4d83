// The periods of candles, and where each begins: UTC, weeks on Monday. Knows nothing of trades.

import type { TimeMs } from '../money/index.ts';

/** Shortest first. Each period begins where a shorter one begins. */
export const RESOLUTIONS = ['1m', '5m', '15m', '1h', '4h', '1d', '1w'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const RESOLUTION_MS: Readonly<Record<Resolution, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
  '1d': DAY_MS,
  '1w': 7 * DAY_MS,
};

// 1970 began on a Thursday: the first Monday is the fifth of January.
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The first millisecond of the period of `timeMs`. */
export function candleStartMs(resolution: Resolution, timeMs: TimeMs): TimeMs {
  const lengthMs = RESOLUTION_MS[resolution];
  const originMs = resolution === '1w' ? FIRST_MONDAY_MS : 0;
  return (Math.floor((timeMs - originMs) / lengthMs) * lengthMs + originMs) as TimeMs;
}
