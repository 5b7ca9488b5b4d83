// Candles and small price charts. Public.

import type { Static } from 'typebox';
import {
  CurrencyIn,
  defineRoute,
  field,
  mapOf,
  oneOf,
  SymbolIn,
  Timestamp,
  Type,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
} from '../../../protocol/wire/index.ts';
import { Candle, candleExample } from './candle.ts';
import { CHART_RESOLUTION_NAMES } from './chart-resolutions.ts';
import { AssetsIn } from './market-data-routes.ts';

/** A point of a mini chart. The price is a text. Public. */
export const MiniChartPoint = Type.Object(
  {
    time: Timestamp,
    price: field(Type.String(), 'The price at that time, as a text.', '51234.5'),
    symbol: Type.String(),
    quote: Type.String(),
  },
  { title: 'MiniChartPoint' },
);
export type MiniChartPoint = Static<typeof MiniChartPoint>;

const open = { permission: { who: 'anyone' }, effect: 'read', status: 200, method: 'GET' } as const;

/** Charting libraries can request times before 1970, and some clients send milliseconds. */
export const SecondsIn = Type.Integer({
  minimum: 0,
  maximum: 100_000_000_000_000,
  clamped: true,
  description: 'Unix seconds. A number above 100,000,000,000 is taken as milliseconds.',
});

export const ResolutionIn = oneOf(
  CHART_RESOLUTION_NAMES,
  'Minutes, or letters for hours, days and weeks; all names that clients use are accepted.',
);

export const chartRoutes = {
  getChart: defineRoute({
    ...open,
    path: '/v2/chart',
    summary: 'Candles of a market',
    description:
      'Candles with trades only: a time without trades has none. `from` and `to` are unix ' +
      'seconds; at most 1,500 candles in one answer, the oldest of the range first.',
    tag: 'market data',
    weight: WEIGHT_LIST,
    query: Type.Object({
      symbol: SymbolIn,
      resolution: ResolutionIn,
      from: SecondsIn,
      to: SecondsIn,
    }),
    response: Type.Array(Candle),
    example: {
      query: { symbol: 'btc-usdt', resolution: '1h', from: '1767600000', to: '1767607200' },
      response: [candleExample],
    },
  }),
  getCharts: defineRoute({
    ...open,
    path: '/v2/charts',
    summary: 'Candles of every market',
    description:
      'The same as `/v2/chart` for every market, keyed by symbol; at most 200 candles of each.',
    tag: 'market data',
    weight: WEIGHT_HEAVY,
    query: Type.Object({ resolution: ResolutionIn, from: SecondsIn, to: SecondsIn }),
    response: mapOf(Type.Array(Candle)),
  }),
  getMiniCharts: defineRoute({
    ...open,
    path: '/v2/minicharts',
    summary: 'A few prices of each asset, for small charts',
    description:
      'At most 200 points for each asset, for sparklines. Without dates the last 24 hours.',
    tag: 'market data',
    weight: WEIGHT_LIST,
    query: Type.Object({
      assets: AssetsIn,
      from: Type.Optional(SecondsIn),
      to: Type.Optional(SecondsIn),
      quote: Type.Optional(CurrencyIn),
      period: field(
        Type.Optional(Type.String({ maxLength: 2 })),
        'How far back the prices go.',
        '1d',
      ),
    }),
    response: mapOf(Type.Array(MiniChartPoint)),
  }),
} as const;
