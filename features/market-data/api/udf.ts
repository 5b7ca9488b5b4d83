// Data for charting libraries in their own format (UDF). Public.

import { type Static, Type } from 'typebox';
import { Decimal, oneOf } from '../../../protocol/wire/index.ts';

export const UdfConfig = Type.Object(
  {
    supported_resolutions: Type.Array(Type.String()),
    supports_group_request: Type.Boolean(),
    supports_marks: Type.Boolean(),
    supports_search: Type.Boolean(),
    supports_timescale_marks: Type.Boolean(),
    supports_time: Type.Boolean(),
  },
  { title: 'UdfConfig' },
);
export type UdfConfig = Static<typeof UdfConfig>;

export const UdfSymbol = Type.Object(
  {
    name: Type.String(),
    ticker: Type.String(),
    description: Type.String(),
    type: Type.String(),
    exchange: Type.String(),
    listed_exchange: Type.String(),
    timezone: Type.String(),
    session: Type.String(),
    regular_session: Type.String(),
    minmov: Type.Integer(),
    pricescale: Type.Integer(),
    volume_precision: Type.Integer(),
    has_intraday: Type.Boolean(),
    has_daily: Type.Boolean(),
    has_weekly_and_monthly: Type.Boolean(),
    has_empty_bars: Type.Boolean(),
    supported_resolutions: Type.Array(Type.String()),
  },
  { title: 'UdfSymbol' },
);
export type UdfSymbol = Static<typeof UdfSymbol>;

export const UdfHistory = Type.Object(
  {
    s: oneOf(['ok', 'no_data', 'error']),
    t: Type.Array(Type.Integer(), { description: 'Start of each candle, unix seconds.' }),
    o: Type.Array(Decimal),
    h: Type.Array(Decimal),
    l: Type.Array(Decimal),
    c: Type.Array(Decimal),
    v: Type.Array(Decimal),
    nextTime: Type.Optional(
      Type.Integer({ description: 'With no_data: the time of the last earlier candle.' }),
    ),
  },
  { title: 'UdfHistory' },
);
export type UdfHistory = Static<typeof UdfHistory>;

export const UdfSearchResult = Type.Object(
  {
    symbol: Type.String(),
    full_name: Type.String(),
    description: Type.String(),
    exchange: Type.String(),
    ticker: Type.String(),
    type: Type.String(),
  },
  { title: 'UdfSearchResult' },
);
export type UdfSearchResult = Static<typeof UdfSearchResult>;
