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
    summary: 'Capabilities of the chart feed',
    description: 'For charting libraries that use UDF.',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: UdfConfig,
  }),
  getUdfHistory: defineRoute({
    ...open,
    path: '/v2/udf/history',
    summary: 'Candles as columns',
    description: 'The arrays have the same length, one entry per candle, oldest first.',
    weight: WEIGHT_LIST,
    query: Type.Object({
      symbol: SymbolIn,
      resolution: ResolutionIn,
      from: SecondsIn,
      to: SecondsIn,
      countback: field(
        Type.Optional(Type.Integer({ minimum: 1, maximum: 5_000, clamped: true })),
        'Minimum number of candles before `to`.',
        300,
      ),
    }),
    response: UdfHistory,
  }),
  getUdfSymbol: defineRoute({
    ...open,
    path: '/v2/udf/symbols',
    summary: 'Chart settings of a market',
    description:
      'Price scale and sessions of a market, in the format expected by charting libraries.',
    weight: WEIGHT_LIGHT,
    query: Type.Object({ symbol: SymbolIn }),
    response: UdfSymbol,
  }),
  getUdfSearch: defineRoute({
    ...open,
    path: '/v2/udf/search',
    summary: 'Markets whose name contains a given text',
    description: 'Matches anywhere in the name, case-insensitive; at most 30 results by default.',
    weight: WEIGHT_LIGHT,
    query: Type.Object({
      query: field(Type.Optional(Type.String({ maxLength: 64 })), 'Part of a market name.', 'btc'),
      type: field(
        Type.Optional(Type.String({ maxLength: 64 })),
        'Accepted and ignored: all markets have the same type.',
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
    summary: 'Exchange time in Unix seconds, as plain text',
    description:
      'Compare it with your clock: expired signatures and ones too far ahead are rejected.',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: Type.Integer(),
    example: { response: 1767607200 },
  }),
} as const;
