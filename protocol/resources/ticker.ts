// Tickers: the last 24 hours of a market. Before its first trade there are no prices. Public.

import { type Static, Type } from 'typebox';
import { Decimal, DecimalOrNull, Timestamp } from '../wire-types.ts';

const prices = {
  open: DecimalOrNull,
  close: DecimalOrNull,
  high: DecimalOrNull,
  low: DecimalOrNull,
  last: DecimalOrNull,
  volume: Decimal,
};

export const Ticker = Type.Object({ ...prices, timestamp: Timestamp }, { title: 'Ticker' });
export type Ticker = Static<typeof Ticker>;

/** In the map of all tickers the time has another name. */
export const TickerOfAll = Type.Object(
  { time: Timestamp, ...prices, symbol: Type.String() },
  { title: 'TickerOfAll' },
);
export type TickerOfAll = Static<typeof TickerOfAll>;
