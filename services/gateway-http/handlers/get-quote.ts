// What an amount converts to at the present book; who says who he is gets a token that executes it.

import type { TimeMs } from '../../../core/money/index.ts';
import {
  decimal,
  type Quote,
  RETRY_AFTER_S,
  type Routes,
  timeText,
} from '../../../protocol/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { Call } from '../handler.ts';
import type { Parts } from '../parts.ts';
import { quotedAmounts, quotedMarket, quoteTrade } from '../quotes/make-quote.ts';
import { QUOTE_LIFE_MS, sealQuote } from '../quotes/quote-token.ts';

export function getQuote(
  { caller, query }: Call<Routes['getQuote']>,
  { catalogue, clock, feed, quoteKey }: Parts,
): Quote {
  const found = quotedMarket(catalogue.now, query);
  // A book of before the connection was lost would promise what is long gone.
  if (!feed.isLive) throw new ApiRefusal('data_unavailable', {}, RETRY_AFTER_S);
  const { symbol } = found.market;
  const books = { best: feed.levelsOf('book', symbol), deep: feed.levelsOf('depth', symbol) };
  const trade = quoteTrade(found, query, books);
  const { receiving, spending } = quotedAmounts(trade);
  const quote: Quote = {
    spending_currency: query.spending_currency.toLowerCase(),
    receiving_currency: query.receiving_currency.toLowerCase(),
    spending_amount: decimal(spending),
    receiving_amount: decimal(receiving),
    fees_included: false,
    type: 'market',
  };
  if (caller === undefined) return quote;
  const expiresAtMs = (clock.nowMs() + QUOTE_LIFE_MS) as TimeMs;
  const { quoteAtoms, side, sizeLots } = trade;
  const token = sealQuote(quoteKey, {
    user: caller.user,
    market: trade.market.market,
    side,
    sizeLots,
    quoteAtoms,
    expiresAtMs,
  });
  return { ...quote, token, expiry: timeText(expiresAtMs) };
}
