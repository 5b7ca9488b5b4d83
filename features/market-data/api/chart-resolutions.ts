// Names of chart resolutions and the stored candles behind each. Clients use different names, so
// all of them are accepted.

import { RESOLUTION_MS, type Resolution } from '../../../core/market-data/index.ts';

export interface ChartResolution {
  readonly stored: Resolution;
  /** Number of stored candles per requested candle. */
  readonly candles: number;
  readonly lengthMs: number;
}

function each(stored: Resolution, candles = 1): ChartResolution {
  return { stored, candles, lengthMs: RESOLUTION_MS[stored] * candles };
}

const byName = {
  '1': each('1m'),
  '5': each('5m'),
  '15': each('15m'),
  '30': each('15m', 2),
  '60': each('1h'),
  '120': each('1h', 2),
  '240': each('4h'),
  H: each('1h'),
  D: each('1d'),
  W: each('1w'),
  '1H': each('1h'),
  '4H': each('4h'),
  '1D': each('1d'),
  '1W': each('1w'),
  '1m': each('1m'),
  '5m': each('5m'),
  '15m': each('15m'),
  '30m': each('15m', 2),
  '1h': each('1h'),
  '2h': each('1h', 2),
  '4h': each('4h'),
  '1d': each('1d'),
  '1w': each('1w'),
} as const satisfies Record<string, ChartResolution>;

export type ChartResolutionName = keyof typeof byName;
export const CHART_RESOLUTION_NAMES = Object.keys(byName) as readonly ChartResolutionName[];

/** Names for charting libraries, which write days and weeks in upper case. */
export const UDF_RESOLUTIONS = ['1', '5', '15', '30', '60', '120', '240', '1D', '1W'] as const;

export function chartResolution(name: ChartResolutionName): ChartResolution {
  return byName[name];
}
