// Routes for charting libraries. Public.

import {
  defineRoute,
  field,
  NO_QUERY,
  SymbolIn,
  Type,
  WEIGHT_LIGHT,
  WEIGHT_LIST,
} from '../../../protocol/wire/index.ts';
import { ResolutionIn, SecondsIn } from './chart-routes.ts';
import { UdfConfig, UdfHistory, UdfSearchResult, UdfSymbol } from './udf.ts';

const open = {
  permission: { who: 'anyone' },
  effect: 'read',
  status: 200,
  method: 'GET',
  tag: 'charts',
} as const;

export const udfRoutes = {
  getUdfConfig: defineRoute({
    ...open,
    path: '/v2/udf/config',
    summary: 'The capabilities of the chart feed',
    description: 'For charting libraries that speak UDF.',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: UdfConfig,
  }),
  getUdfHistory: defineRoute({
    ...open,
    path: '/v2/udf/history',
    summary: 'Candles as columns',
    description: 'The arrays have the same length, one entry for each candle, oldest first.',
    weight: WEIGHT_LIST,
    query: Type.Object({
      symbol: SymbolIn,
      resolution: ResolutionIn,
      from: SecondsIn,
      to: SecondsIn,
      countback: field(
        Type.Optional(Type.Integer({ minimum: 1, maximum: 5_000, clamped: true })),
        'How many candles to return at least, before `to`.',
        300,
      ),
    }),
    response: UdfHistory,
  }),
  getUdfSymbol: defineRoute({
    ...open,
    path: '/v2/udf/symbols',
    summary: 'The chart settings of a market',
    description:
      'Price scale and sessions of a market, in the form that charting libraries expect.',
    weight: WEIGHT_LIGHT,
    query: Type.Object({ symbol: SymbolIn }),
    response: UdfSymbol,
  }),
  getUdfSearch: defineRoute({
    ...open,
    path: '/v2/udf/search',
    summary: 'Markets whose name contains a text',
    description:
      'Matches anywhere in the name, without case; at most 30 results unless you ask for fewer.',
    weight: WEIGHT_LIGHT,
    query: Type.Object({
      query: field(
        Type.Optional(Type.String({ maxLength: 64 })),
        'A part of the name of a market.',
        'btc',
      ),
      type: field(
        Type.Optional(Type.String({ maxLength: 64 })),
        'Accepted and ignored: all markets are of one kind.',
        'crypto',
      ),
      exchange: field(
        Type.Optional(Type.String({ maxLength: 64 })),
        'Accepted and ignored: there is one exchange.',
        'Rialto',
      ),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 30, clamped: true }),
    }),
    response: Type.Array(UdfSearchResult),
  }),
  getUdfTime: defineRoute({
    ...open,
    path: '/v2/udf/time',
    summary: 'The time of the exchange in unix seconds, as plain text',
    description:
      'Compare it with your clock: signatures that expired or are too far ahead are refused.',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: Type.Integer(),
    example: { response: 1767607200 },
  }),
} as const;
