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
    price: field(Type.String(), 'The price at that time, as a string.', '51234.5'),
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
  description: 'Unix seconds. Numbers above 100,000,000,000 are read as milliseconds.',
});

export const ResolutionIn = oneOf(
  CHART_RESOLUTION_NAMES,
  'Minutes, or letters for hours, days and weeks; all names used by clients are accepted.',
);

export const chartRoutes = {
  getChart: defineRoute({
    ...open,
    path: '/v2/chart',
    summary: 'Candles of a market',
    description:
      'Only candles with trades: intervals without trades are left out. `from` and `to` are Unix ' +
      'seconds; at most 1,500 candles per response, oldest first.',
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
      'Same as `/v2/chart` for every market, keyed by symbol; at most 200 candles per market.',
    tag: 'market data',
    weight: WEIGHT_HEAVY,
    query: Type.Object({ resolution: ResolutionIn, from: SecondsIn, to: SecondsIn }),
    response: mapOf(Type.Array(Candle)),
  }),
  getMiniCharts: defineRoute({
    ...open,
    path: '/v2/minicharts',
    summary: 'A few prices per asset, for small charts',
    description: 'At most 200 points per asset, for sparklines. Defaults to the last 24 hours.',
    tag: 'market data',
    weight: WEIGHT_LIST,
    query: Type.Object({
      assets: AssetsIn,
      from: Type.Optional(SecondsIn),
      to: Type.Optional(SecondsIn),
      quote: Type.Optional(CurrencyIn),
      period: field(
        Type.Optional(Type.String({ maxLength: 2 })),
        'Period covered by the prices.',
        '1d',
      ),
    }),
    response: mapOf(Type.Array(MiniChartPoint)),
  }),
} as const;
