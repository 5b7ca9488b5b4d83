// Executes a quote: the full size at the quoted amount or better, or nothing. The deciding walk
// takes the same path through the book as the matching that follows.

import type { ExecuteQuote, PlaceOrder, Refusal } from '../messages/index.ts';
import type { Atoms, OrderNumber, Ticks, TimeMs } from '../money/index.ts';
import { assert } from '../structures/index.ts';
import { type Exchange, marketOf } from './exchange.ts';
import { bringInsideBand, type Market } from './market.ts';
import { activateStops, matchIncoming } from './match-incoming.ts';
import { holdFor } from './match-listener.ts';
import {
  admitOrder,
  covers,
  findParty,
  refuseClientOrderId,
  refuseForCapacity,
  refuseForMarket,
  refuseSize,
  walkForOrder,
} from './place-order.ts';

export function executeQuote(exchange: Exchange, quote: ExecuteQuote): Refusal {
  const order = orderOf(quote);
  const market = marketOf(exchange, quote.market);
  const marketRefusal = refuseForMarket(order, market, exchange.rulesVersion);
  if (marketRefusal !== 'none') return marketRefusal;
  assert(market !== undefined, 'refuseForMarket accepts listed markets only');
  const wrongSize = refuseSize(market, quote.sizeLots);
  if (wrongSize !== 'none') return wrongSize;
  if (quote.quoteAtoms <= 0n) return 'amount_must_be_positive';
  if (exchange.timeMs > quote.expiresAtMs) return 'quote_has_expired';
  const party = findParty(exchange, market, quote.user);
  const used = refuseClientOrderId(exchange, party.user, quote.clientOrderId);
  if (used !== 'none') return used;
  const capacityRefusal = refuseForCapacity(exchange, party);
  if (capacityRefusal !== 'none') return capacityRefusal;
  const sells = quote.side === 'sell';
  const worst = worstOfQuote(market, sells);
  const { lots, tickLots } = walkForOrder(exchange, order, party, worst);
  if (lots < quote.sizeLots) return 'order_cannot_be_filled_completely';
  const amount = BigInt.asIntN(64, market.tickLotAtoms * tickLots) as Atoms;
  if (sells ? amount < quote.quoteAtoms : amount > quote.quoteAtoms) {
    return 'quoted_price_no_longer_available';
  }
  const held = sells ? holdFor(market, sells, worst, quote.sizeLots) : amount;
  if (!covers(exchange, party, sells, held)) return 'available_balance_too_small';

  const slot = admitOrder(exchange, market, order, party, worst, held, true);
  matchIncoming(exchange, slot, worst);
  activateStops(exchange, market);
  return 'none';
}

function worstOfQuote(market: Market, sells: boolean): Ticks {
  return bringInsideBand(market, sells, sells ? market.minPriceTicks : market.maxPriceTicks);
}

/** The market order that executes the quote. */
function orderOf(quote: ExecuteQuote): PlaceOrder {
  return {
    kind: 'PlaceOrder',
    source: quote.source,
    number: quote.number,
    user: quote.user,
    key: quote.key,
    market: quote.market,
    side: quote.side,
    type: 'market',
    timeInForce: 'FOK',
    selfTrade: 'cancel_newest',
    postOnly: false,
    priceTicks: 0 as Ticks,
    sizeLots: quote.sizeLots,
    stopTicks: 0 as Ticks,
    clientOrderId: quote.clientOrderId,
    note: '',
    trigger: 'stop',
    linkedOrder: 0 as OrderNumber,
    expiresMs: 0 as TimeMs,
  };
}
