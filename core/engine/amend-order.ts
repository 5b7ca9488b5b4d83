// Amends a resting order. A smaller size at the same price keeps queue priority. Any other change
// removes the order from the book and matches it again with its own number, terms and fee rates.

import { RESTING } from '../matching/index.ts';
import type { AmendOrder, Refusal } from '../messages/index.ts';
import type { Atoms, Lots, Ticks } from '../money/index.ts';
import { NONE } from '../structures/index.ts';
import { findOrder } from './cancel-orders.ts';
import type { Exchange } from './exchange.ts';
import { accepts, isInsideBand, type Market } from './market.ts';
import { activateStops, matchIncoming } from './match-incoming.ts';
import { holdFor } from './match-listener.ts';
import { crosses, refusePrice, refuseSize } from './place-order.ts';

/** The order's new values and the change of its hold. */
interface Amendment {
  readonly order: number;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly remainingLots: Lots;
  readonly keepsPriority: boolean;
  readonly heldChangeAtoms: Atoms;
}

export function amendOrder(exchange: Exchange, command: AmendOrder): Refusal {
  const { orders } = exchange.books;
  const order = findOrder(exchange, command.user, command.order);
  if (order === NONE) return 'order_must_exist';
  const market = exchange.markets[orders.market(order) - 1];
  if (market.frozenBy !== 0) return 'market_is_frozen';
  if (accepts(market, exchange.rulesVersion) === 'none') return 'market_does_not_accept_orders';
  if (orders.state(order) !== RESTING) return 'waiting_stop_cannot_be_amended';
  const amendment = amendmentOf(exchange, market, order, command);
  const refusal = refuseAmendment(exchange, market, amendment);
  if (refusal !== 'none') return refusal;
  if (amendment.keepsPriority) {
    applyAmendment(exchange, market, amendment);
  } else {
    exchange.books.leave(order);
    applyAmendment(exchange, market, amendment);
    if (market.status === 'auction') {
      exchange.books.rest(order);
      return 'none';
    }
    matchIncoming(exchange, order, amendment.priceTicks);
    activateStops(exchange, market);
  }
  return 'none';
}

function amendmentOf(
  exchange: Exchange,
  market: Market,
  order: number,
  command: AmendOrder,
): Amendment {
  const { orders } = exchange.books;
  const sells = orders.sells(order);
  const oldPrice = orders.priceTicks(order);
  const oldSize = orders.sizeLots(order);
  const oldRemaining = orders.remainingLots(order);
  const priceTicks = command.priceTicks === 0 ? oldPrice : command.priceTicks;
  const sizeLots = command.sizeLots === 0 ? oldSize : command.sizeLots;
  const remainingLots = (sizeLots - (oldSize - oldRemaining)) as Lots;
  const oldHold = holdFor(market, sells, oldPrice, oldRemaining);
  const newHold = remainingLots > 0 ? holdFor(market, sells, priceTicks, remainingLots) : 0n;
  return {
    order,
    priceTicks,
    sizeLots,
    remainingLots,
    keepsPriority: priceTicks === oldPrice && sizeLots < oldSize,
    heldChangeAtoms: BigInt.asIntN(64, newHold - oldHold) as Atoms,
  };
}

function refuseAmendment(exchange: Exchange, market: Market, amendment: Amendment): Refusal {
  const { orders } = exchange.books;
  const { order, priceTicks, sizeLots } = amendment;
  const changesPrice = priceTicks !== orders.priceTicks(order);
  if (!changesPrice && sizeLots === orders.sizeLots(order)) return 'amend_must_change_something';
  const wrongSize = refuseSize(market, sizeLots);
  if (wrongSize !== 'none') return wrongSize;
  if (amendment.remainingLots <= 0) return 'amended_size_must_exceed_filled_size';
  const wrongPrice = refusePrice(market, priceTicks);
  if (wrongPrice !== 'none') return wrongPrice;
  if (amendment.keepsPriority) return 'none';
  const sells = orders.sells(order);
  const postOnly = orders.isPostOnly(order);
  const isAuction = market.status === 'auction';
  if (market.status === 'post-only' && !postOnly) return 'market_accepts_post_only_orders_only';
  if (changesPrice && !isInsideBand(market, sells, priceTicks)) return 'price_outside_band';
  if (postOnly && !isAuction && crosses(exchange, market, sells, priceTicks)) {
    return 'post_only_order_would_trade';
  }
  const account = heldAccount(exchange, order);
  if (exchange.ledger.accounts.availableAtoms(account) < amendment.heldChangeAtoms) {
    return 'available_balance_too_small';
  }
  return 'none';
}

function applyAmendment(exchange: Exchange, market: Market, amendment: Amendment): void {
  const { books, ledger, users } = exchange;
  const { orders } = books;
  const { order, priceTicks, sizeLots, remainingLots, heldChangeAtoms } = amendment;
  const account = heldAccount(exchange, order);
  if (heldChangeAtoms > 0n) ledger.hold(account, heldChangeAtoms);
  else ledger.release(account, -heldChangeAtoms as Atoms);
  orders.setPriceTicks(order, priceTicks);
  orders.setSizeLots(order, sizeLots);
  orders.setRemainingLots(order, remainingLots);
  exchange.events.push({
    kind: 'OrderAmended',
    command: exchange.command,
    order: orders.number(order),
    user: users.id(orders.user(order)),
    market: market.id,
    priceTicks,
    sizeLots,
    remainingLots,
    keptPriority: amendment.keepsPriority,
    heldAsset: orders.sells(order) ? market.base : market.quote,
    heldChangeAtoms,
  });
}

function heldAccount(exchange: Exchange, order: number): number {
  const { details, books } = exchange;
  return books.orders.sells(order) ? details.baseAccount(order) : details.quoteAccount(order);
}
