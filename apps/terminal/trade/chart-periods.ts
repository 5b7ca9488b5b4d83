// Periods, indicators and drawing tools of the price chart.

import type { GetChartQuery } from '../../../client/index.ts';

export interface ChartPeriod {
  readonly resolution: GetChartQuery['resolution'];
  readonly type: 'minute' | 'hour' | 'day' | 'week';
  readonly span: number;
  readonly ms: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const PERIODS = {
  '1m': { resolution: '1', type: 'minute', span: 1, ms: MINUTE_MS },
  '5m': { resolution: '5', type: 'minute', span: 5, ms: 5 * MINUTE_MS },
  '15m': { resolution: '15', type: 'minute', span: 15, ms: 15 * MINUTE_MS },
  '1h': { resolution: '60', type: 'hour', span: 1, ms: HOUR_MS },
  '4h': { resolution: '240', type: 'hour', span: 4, ms: 4 * HOUR_MS },
  '1D': { resolution: 'D', type: 'day', span: 1, ms: 24 * HOUR_MS },
  '1W': { resolution: 'W', type: 'week', span: 1, ms: 7 * 24 * HOUR_MS },
} as const satisfies Record<string, ChartPeriod>;

export type PeriodName = keyof typeof PERIODS;
export const PERIOD_NAMES = Object.keys(PERIODS) as PeriodName[];

/** Names that traders know in every language. */
export const INDICATORS = [
  'MA',
  'EMA',
  'BOLL',
  'SAR',
  'BBI',
  'VOL',
  'MACD',
  'RSI',
  'KDJ',
  'CCI',
  'DMI',
  'OBV',
  'WR',
  'ROC',
  'TRIX',
  'AO',
  'BIAS',
  'MTM',
  'EMV',
  'VR',
  'PSY',
  'CR',
] as const;
