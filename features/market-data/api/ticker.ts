// Tickers: the last 24 hours of a market. Prices are 0 before the first trade, because the
// interface has numbers and clients read 0 as none. Public. Schema, example and encoder are all in
// this file.

import type { Static } from 'typebox';
import {
  type ListedMarket,
  type MarketState,
  priceText,
  volumeText,
} from '../../../core/market-data/index.ts';
import { Decimal, Timestamp, Type } from '../../../protocol/wire/index.ts';

const prices = {
  open: Decimal,
  close: Decimal,
  high: Decimal,
  low: Decimal,
  last: Decimal,
  volume: Decimal,
};

export const Ticker = Type.Object({ ...prices, timestamp: Timestamp }, { title: 'Ticker' });
export type Ticker = Static<typeof Ticker>;

export const tickerExample = {
  open: 50900,
  close: 51234.5,
  high: 51800,
  low: 50750.5,
  last: 51234.5,
  volume: 182.3301,
  timestamp: '2026-01-05T10:00:00.000Z',
};

/** In the map of all tickers the timestamp is named `time`, and each ticker has its symbol. */
export const TickerOfAll = Type.Object(
  { time: Timestamp, ...prices, symbol: Type.String() },
  { title: 'TickerOfAll' },
);
export type TickerOfAll = Static<typeof TickerOfAll>;

type DayTicker = NonNullable<MarketState['day']['ticker']>;

/** JSON for the feed, without its end, where the timestamp goes. Prices before a trade are null. */
export function tickerJsonBody(
  market: { readonly listed: ListedMarket; readonly ticker: DayTicker } | undefined,
): string {
  const price = (of: 'openTicks' | 'highTicks' | 'lowTicks' | 'lastTicks') =>
    market === undefined ? 'null' : priceText(market.listed, market.ticker[of]);
  const volume = market === undefined ? '0' : volumeText(market.listed, market.ticker.volumeLots);
  const last = price('lastTicks');
  return (
    `{"open":${price('openTicks')},"close":${last},"high":${price('highTicks')}` +
    `,"low":${price('lowTicks')},"last":${last},"volume":${volume}`
  );
}
