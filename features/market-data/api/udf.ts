// Data for charting libraries in their own format (UDF). Public.

import type { Static } from 'typebox';
import { Decimal, field, oneOf, sample, Type } from '../../../protocol/wire/index.ts';

export const UdfConfig = Type.Object(
  {
    supported_resolutions: Type.Array(Type.String()),
    supports_group_request: field(
      Type.Boolean(),
      'Whether one request can name several symbols.',
      false,
    ),
    supports_marks: field(Type.Boolean(), 'Whether the feed has marks on candles.', false),
    supports_search: field(Type.Boolean(), 'Whether `/v2/udf/search` exists.'),
    supports_timescale_marks: field(
      Type.Boolean(),
      'Whether the feed has marks on the time axis.',
      false,
    ),
    supports_time: field(Type.Boolean(), 'Whether `/v2/udf/time` exists.'),
  },
  { title: 'UdfConfig' },
);
export type UdfConfig = Static<typeof UdfConfig>;

export const UdfSymbol = Type.Object(
  {
    name: Type.String(),
    ticker: Type.String(),
    description: Type.String(),
    type: field(Type.String(), 'The instrument type for the chart.', 'crypto'),
    exchange: Type.String(),
    listed_exchange: field(Type.String(), 'The name of the exchange.', 'Rialto'),
    timezone: field(Type.String(), 'The time zone of the candles.', 'Etc/UTC'),
    session: field(Type.String(), 'Trading hours.', '24x7'),
    regular_session: field(Type.String(), 'Trading hours.', '24x7'),
    minmov: field(Type.Integer(), 'The minimum price movement in price steps.', 1),
    pricescale: field(Type.Integer(), 'Price steps per unit of the quote currency.', 100),
    volume_precision: field(Type.Integer(), 'Number of volume decimals.', 4),
    has_intraday: field(Type.Boolean(), 'Whether candles shorter than a day are available.'),
    has_daily: field(Type.Boolean(), 'Whether daily candles are available.'),
    has_weekly_and_monthly: field(
      Type.Boolean(),
      'Whether weekly and longer candles are available.',
    ),
    has_empty_bars: field(Type.Boolean(), 'Whether intervals without trades have candles.', false),
    supported_resolutions: Type.Array(Type.String()),
  },
  { title: 'UdfSymbol' },
);
export type UdfSymbol = Static<typeof UdfSymbol>;

export const UdfHistory = Type.Object(
  {
    s: field(
      oneOf(['ok', 'no_data', 'error']),
      '`ok`, or `no_data` if there is no candle in the range.',
    ),
    t: sample(
      Type.Array(Type.Integer(), { description: 'Start of each candle in Unix seconds.' }),
      [1767600000],
    ),
    o: field(Type.Array(Decimal), 'Opening prices.', [51000]),
    h: field(Type.Array(Decimal), 'Highest prices.', [51500]),
    l: field(Type.Array(Decimal), 'Lowest prices.', [50900]),
    c: field(Type.Array(Decimal), 'Closing prices.', [51234.5]),
    v: field(Type.Array(Decimal), 'Volumes.', [12.5]),
    nextTime: sample(
      Type.Optional(
        Type.Integer({ description: 'With no_data: the time of the last earlier candle.' }),
      ),
      1767596400,
    ),
  },
  { title: 'UdfHistory' },
);
export type UdfHistory = Static<typeof UdfHistory>;

export const UdfSearchResult = Type.Object(
  {
    symbol: Type.String(),
    full_name: field(Type.String(), 'The name of the market.', 'btc-usdt'),
    description: Type.String(),
    exchange: Type.String(),
    ticker: Type.String(),
    type: field(Type.String(), 'The instrument type for the chart.', 'crypto'),
  },
  { title: 'UdfSearchResult' },
);
export type UdfSearchResult = Static<typeof UdfSearchResult>;
