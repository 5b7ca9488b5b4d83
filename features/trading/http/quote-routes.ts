// Handlers for quick trades: quote an amount at the current book, then execute that quote for
// exactly the quoted amounts or not at all.

import type { TimeMs } from '../../../core/money/index.ts';
import { acceptedOf, type HandlersOf, JsonText } from '../../../platform/http/index.ts';
import { decimal, type Quote, RETRY_AFTER_S, timeText } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { quotedAmounts, quotedMarket, quoteTrade } from './make-quote.ts';
import { placedOrderJson } from './order-answers.ts';
import {
  openQuote,
  QUOTE_KEY_LABEL,
  QUOTE_LIFE_MS,
  quoteOrderId,
  sealQuote,
} from './quote-token.ts';

export const quotesRoutes: HandlersOf<'quotes'> = {
  /** Authenticated callers also get an execution token. */
  getQuote({ caller, query }, { catalogue, clock, feed, vault }) {
    const found = quotedMarket(catalogue.now, query);
    if (found instanceof Refused) return found;
    // A book from before a lost connection would promise prices that no longer exist.
    if (!feed.isLive) return new Refused('data_unavailable', {}, RETRY_AFTER_S);
    const { symbol } = found.market;
    const books = { best: feed.levelsOf('book', symbol), deep: feed.levelsOf('depth', symbol) };
    const trade = quoteTrade(found, query, books);
    if (trade instanceof Refused) return trade;
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
    const token = sealQuote(vault.deriveKeys(QUOTE_KEY_LABEL)[0], {
      user: caller.user,
      market: trade.market.market,
      side,
      sizeLots,
      quoteAtoms,
      expiresAtMs,
    });
    return { ...quote, token, expiry: timeText(expiresAtMs) };
  },

  /** The client order ID is derived from the token, so the engine executes a token only once. */
  async executeQuote({ body, caller }, dependencies) {
    const { key, user } = caller;
    const quote = openQuote(dependencies.vault.deriveKeys(QUOTE_KEY_LABEL), body.token);
    if (quote === undefined) return new Refused('quote_token_unknown');
    if (quote.user !== user) return new Refused('quote_of_another_user');
    if (dependencies.clock.nowMs() > quote.expiresAtMs) return new Refused('quote_has_expired');
    const submitted = await dependencies.commands.submit({
      ...quote,
      kind: 'ExecuteQuote',
      key,
      clientOrderId: quoteOrderId(body.token),
    });
    if (submitted.kind === 'refused' && submitted.refusal === 'client_order_id_already_used') {
      return new Refused('quote_token_used');
    }
    const accepted = acceptedOf(submitted);
    if (accepted instanceof Refused) return accepted;
    return new JsonText(await placedOrderJson(dependencies, accepted));
  },
};
