// Amends a resting order or a waiting stop. A smaller size at the same price keeps queue priority.
// Any other change removes a resting order from the book and matches it again with its own number,
// terms and fee rates. A stop keeps its place unless its stop price changes.

import { RESTING, WAITING } from '../matching/index.ts';
import type { AmendOrder, Refusal } from '../messages/index.ts';
import type { Atoms, Lots, Ticks } from '../money/index.ts';
import { NONE } from '../structures/index.ts';
import { findOrder } from './cancel-orders.ts';
import type { Exchange } from './exchange.ts';
import { accepts, isInsideBand, type Market, worstTicks } from './market.ts';
import { activateStops, matchIncoming } from './match-incoming.ts';
import { holdFor } from './match-listener.ts';
import { crosses, refusePrice, refuseSize, refuseStop } from './place-order.ts';

/** The order's new values and the change of its hold. */
interface Amendment {
  readonly order: number;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly remainingLots: Lots;
  /** 0 for an order in the book. */
  readonly stopTicks: Ticks;
  readonly onlyShrinks: boolean;
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
  if (orders.isLinked(order)) return 'linked_order_cannot_be_amended';
  const wrongStop = refuseNewStop(exchange, market, order, command);
  if (wrongStop !== 'none') return wrongStop;
  const amendment = amendmentOf(exchange, market, order, command);
  const refusal = refuseAmendment(exchange, market, amendment);
  if (refusal !== 'none') return refusal;
  if (amendment.keepsPriority) {
    applyAmendment(exchange, market, amendment);
  } else if (amendment.stopTicks > 0) {
    exchange.books.leave(order);
    orders.setStopTicks(order, amendment.stopTicks);
    applyAmendment(exchange, market, amendment);
    exchange.books.wait(order);
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

/** Whether the order is in a state to be amended, and the new stop price if it changes. */
function refuseNewStop(
  exchange: Exchange,
  market: Market,
  order: number,
  { priceTicks, stopTicks }: AmendOrder,
): Refusal {
  const { orders } = exchange.books;
  if (orders.state(order) === RESTING) {
    return stopTicks === 0 ? 'none' : 'amended_stop_price_needs_a_waiting_stop';
  }
  if (exchange.rulesVersion < 3) return 'waiting_stop_cannot_be_amended';
  if (orders.state(order) !== WAITING) return 'triggered_stop_cannot_be_amended';
  if (orders.isMarket(order) && priceTicks !== 0) return 'market_order_must_not_name_a_price';
  if (stopTicks === 0 || stopTicks === orders.stopTicks(order)) return 'none';
  return refuseStop(market, orders.sells(order), orders.takesProfit(order), stopTicks);
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
  const isWaiting = orders.state(order) === WAITING;
  const oldStop = isWaiting ? orders.stopTicks(order) : (0 as Ticks);
  const stopTicks = command.stopTicks === 0 ? oldStop : command.stopTicks;
  const movesStop = stopTicks !== oldStop;
  let priceTicks = command.priceTicks === 0 ? oldPrice : command.priceTicks;
  // The worst price of a stop-market order follows its stop price.
  if (movesStop && orders.isMarket(order)) priceTicks = worstTicks(market, sells, stopTicks);
  const sizeLots = command.sizeLots === 0 ? oldSize : command.sizeLots;
  const remainingLots = (sizeLots - (oldSize - oldRemaining)) as Lots;
  const oldHold = holdFor(market, sells, oldPrice, oldRemaining);
  const newHold = remainingLots > 0 ? holdFor(market, sells, priceTicks, remainingLots) : 0n;
  const onlyShrinks = priceTicks === oldPrice && !movesStop && sizeLots < oldSize;
  return {
    order,
    priceTicks,
    sizeLots,
    remainingLots,
    stopTicks,
    onlyShrinks,
    keepsPriority: isWaiting ? !movesStop : onlyShrinks,
    heldChangeAtoms: BigInt.asIntN(64, newHold - oldHold) as Atoms,
  };
}

function refuseAmendment(exchange: Exchange, market: Market, amendment: Amendment): Refusal {
  const { orders } = exchange.books;
  const { order, priceTicks, sizeLots, stopTicks } = amendment;
  const changesPrice = priceTicks !== orders.priceTicks(order);
  const isWaiting = stopTicks > 0;
  const movesStop = isWaiting && stopTicks !== orders.stopTicks(order);
  if (!changesPrice && !movesStop && sizeLots === orders.sizeLots(order)) {
    return 'amend_must_change_something';
  }
  const wrongSize = refuseSize(market, sizeLots);
  if (wrongSize !== 'none') return wrongSize;
  if (amendment.remainingLots <= 0) return 'amended_size_must_exceed_filled_size';
  const wrongPrice = refusePrice(market, priceTicks);
  if (wrongPrice !== 'none') return wrongPrice;
  if (amendment.onlyShrinks) return 'none';
  const sells = orders.sells(order);
  const postOnly = orders.isPostOnly(order);
  const isAuction = market.status === 'auction';
  if (market.status === 'post-only' && !postOnly) return 'market_accepts_post_only_orders_only';
  if (!isWaiting && changesPrice && !isInsideBand(market, sells, priceTicks)) {
    return 'price_outside_band';
  }
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
    stopTicks: amendment.stopTicks,
  });
}

function heldAccount(exchange: Exchange, order: number): number {
  const { details, books } = exchange;
  return books.orders.sells(order) ? details.baseAccount(order) : details.quoteAccount(order);
}
