// Public data of a market as JSON, from the feed's texts, which are cut and joined but never
// parsed. A market without data is shown empty.

import type { LiveFeed } from '../../../infra/live-feed/index.ts';
import type { Clock } from '../../../infra/process/index.ts';
import { tickerJsonBody, timeText } from '../../../protocol/index.ts';
import type { CatalogueNow } from '../../listings/index.ts';

interface FromFeed {
  readonly catalogue: { readonly now: Pick<CatalogueNow, 'marketsBySymbol'> };
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly feed: Pick<LiveFeed, 'get'>;
}

/** Number of last trades in a response; the feed has more. */
export const TRADES_SHOWN = 30;

export function bookText({ clock, feed }: FromFeed, symbol: string): string {
  const value = feed.get('book', symbol);
  if (value !== undefined) return value.text;
  return `{"bids":[],"asks":[],"timestamp":"${timeText(clock.nowMs())}"}`;
}

/** Before the publisher's first value, the catalog has the status. */
export function auctionText({ catalogue, clock, feed }: FromFeed, symbol: string): string {
  const value = feed.get('auction', symbol);
  if (value !== undefined) return value.text;
  const status = catalogue.now.marketsBySymbol.get(symbol)?.status;
  return (
    `{"status":"${status}","price":null,"volume":0,"imbalance":0,"ends_at":null` +
    `,"timestamp":"${timeText(clock.nowMs())}"}`
  );
}

/** The feed has null where there is no price; responses have 0. */
export function tickerText({ clock, feed }: FromFeed, symbol: string): string {
  const text =
    feed.get('ticker', symbol)?.text ??
    `${tickerJsonBody(undefined)},"timestamp":"${timeText(clock.nowMs())}"}`;
  return text.replaceAll(':null', ':0');
}

const TIMESTAMP = ',"timestamp":"';
const END = '"}';

/** In the list of all tickers the time has another name, and each ticker names its market. */
export function tickerOfAllText(from: FromFeed, symbol: string): string {
  const text = tickerText(from, symbol);
  const at = text.lastIndexOf(TIMESTAMP);
  const time = text.slice(at + TIMESTAMP.length, -END.length);
  return `{"time":"${time}",${text.slice(1, at)},"symbol":"${symbol}"}`;
}

export function tradesText({ feed }: FromFeed, symbol: string): string {
  const value = feed.get('trades', symbol);
  return value === undefined ? '[]' : firstTrades(value.text, TRADES_SHOWN);
}

/** Returns the first `count` elements of an array of flat objects. */
export function firstTrades(text: string, count: number): string {
  let end = 0;
  for (let found = 0; found < count; found += 1) {
    end = text.indexOf('}', end) + 1;
    if (end === 0) return text;
  }
  return `${text.slice(0, end)}]`;
}

/** A map of all markets, in listing order. */
export function textByMarket(
  from: FromFeed,
  textOf: (from: FromFeed, symbol: string) => string,
): string {
  let text = '';
  for (const symbol of from.catalogue.now.marketsBySymbol.keys()) {
    text += `${text === '' ? '{' : ','}"${symbol}":${textOf(from, symbol)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}
