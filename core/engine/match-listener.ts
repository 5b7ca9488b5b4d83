// Settles fills: both sides are paid from holds, each pays its fee from the received amount,
// and the hold above a better price is released. Also closes orders and keeps users' order lists.

import type { MatchListener } from '../matching/index.ts';
import type { CloseReason, OrderClosed, TradeExecuted } from '../messages/index.ts';
import {
  type Atoms,
  baseAtoms,
  feeAtoms,
  type Lots,
  quoteAtoms,
  type Ticks,
  type TradeNumber,
} from '../money/index.ts';
import { NONE } from '../structures/index.ts';
import type { Exchange } from './exchange.ts';
import type { Market } from './market.ts';
import { moveReference } from './move-reference.ts';

const ZERO = 0n as Atoms;

export function createMatchListener(exchange: Exchange): MatchListener {
  return {
    fill: (maker, taker, priceTicks, lots, isAuction) =>
      settle(exchange, maker, taker, priceTicks, lots, isAuction),
    makerClosed: (maker, reason) => closeOrder(exchange, maker, reason),
  };
}

function settle(
  exchange: Exchange,
  maker: number,
  taker: number,
  priceTicks: Ticks,
  lots: Lots,
  isAuction: boolean,
): void {
  const { books, details, users } = exchange;
  const { orders } = books;
  if (orders.isLinked(maker)) closeLinked(exchange, maker);
  if (orders.isLinked(taker)) closeLinked(exchange, taker);
  const market = exchange.markets[orders.market(taker) - 1];
  const takerSells = orders.sells(taker);
  const base = baseAtoms(market.lotAtoms, lots);
  const quote = quoteAtoms(market.tickLotAtoms, priceTicks, lots);
  const makerFee = feeAtoms(takerSells ? base : quote, details.makerFeePpm(maker));
  // In an auction neither side takes liquidity.
  const takerPpm = isAuction ? details.makerFeePpm(taker) : details.takerFeePpm(taker);
  const takerFee = feeAtoms(takerSells ? quote : base, takerPpm);
  const buyer = takerSells ? maker : taker;
  const released = priceImprovement(exchange, market, buyer, priceTicks, lots);
  if (takerSells) exchangeAssets(exchange, market, maker, taker, base, quote, makerFee, takerFee);
  else exchangeAssets(exchange, market, taker, maker, base, quote, takerFee, makerFee);
  if (released > 0n) exchange.ledger.release(details.quoteAccount(buyer), released);
  const makerUser = orders.user(maker);
  const takerUser = orders.user(taker);
  const event: TradeExecuted = {
    kind: 'TradeExecuted',
    command: exchange.command,
    trade: ++exchange.tradesExecuted as TradeNumber,
    market: market.id,
    base: market.base,
    quote: market.quote,
    takerSide: takerSells ? 'sell' : 'buy',
    priceTicks,
    sizeLots: lots,
    makerOrder: orders.number(maker),
    takerOrder: orders.number(taker),
    maker: users.id(makerUser),
    taker: users.id(takerUser),
    makerRemainingLots: (orders.remainingLots(maker) - lots) as Lots,
    takerRemainingLots: (orders.remainingLots(taker) - lots) as Lots,
    baseAtoms: base,
    quoteAtoms: quote,
    makerFeeAtoms: makerFee,
    takerFeeAtoms: takerFee,
    releasedAtoms: released,
    house: users.isHouse(makerUser) || users.isHouse(takerUser),
    quick: orders.isQuick(taker),
  };
  exchange.events.push(event);
  market.lastTicks = priceTicks;
  if (market.referenceTicks === 0) moveReference(exchange, market, priceTicks);
}

/** Pays from both holds: quote to the seller, base to the buyer; then each side pays its fee. */
function exchangeAssets(
  exchange: Exchange,
  market: Market,
  buyer: number,
  seller: number,
  base: Atoms,
  quote: Atoms,
  buyerFee: Atoms,
  sellerFee: Atoms,
): void {
  const { ledger, details } = exchange;
  const buyerBase = details.baseAccount(buyer);
  const sellerQuote = details.quoteAccount(seller);
  ledger.payHeld(details.quoteAccount(buyer), sellerQuote, quote);
  ledger.payHeld(details.baseAccount(seller), buyerBase, base);
  if (buyerFee > 0n) ledger.pay(buyerBase, ledger.fees(market.base), buyerFee);
  if (sellerFee > 0n) ledger.pay(sellerQuote, ledger.fees(market.quote), sellerFee);
}

/** The part of the buyer's hold above the price of this fill: none if it is the buyer's price. */
function priceImprovement(
  exchange: Exchange,
  market: Market,
  buyer: number,
  priceTicks: Ticks,
  lots: Lots,
): Atoms {
  const { orders } = exchange.books;
  if (holdsExactCost(exchange, buyer)) return ZERO;
  const improvement = (orders.priceTicks(buyer) - priceTicks) as Ticks;
  return improvement === 0 ? ZERO : quoteAtoms(market.tickLotAtoms, improvement, lots);
}

/** A market buy that is not a stop holds the exact cost of its fills, not its worst price. */
function holdsExactCost(exchange: Exchange, order: number): boolean {
  const { orders } = exchange.books;
  return orders.isMarket(order) && orders.stopTicks(order) === 0 && !orders.sells(order);
}

/** The hold for `lots` of an order at its own price. */
export function holdFor(market: Market, sells: boolean, priceTicks: Ticks, lots: Lots): Atoms {
  return sells
    ? baseAtoms(market.lotAtoms, lots)
    : quoteAtoms(market.tickLotAtoms, priceTicks, lots);
}

/** Links two open orders without another link. */
export function linkOrders({ books, links }: Exchange, one: number, other: number): void {
  links.set(one, other);
  links.set(other, one);
  books.orders.setLinked(one, true);
  books.orders.setLinked(other, true);
}

/** Ends the link of an order. Returns the other order. */
function unlink({ books, links }: Exchange, order: number): number {
  const other = links.get(order) as number;
  links.delete(order);
  links.delete(other);
  books.orders.setLinked(order, false);
  books.orders.setLinked(other, false);
  return other;
}

/** Closes the order that is linked to one that trades now. */
export function closeLinked(exchange: Exchange, order: number): void {
  const other = unlink(exchange, order);
  exchange.books.leave(other);
  closeWith(exchange, other, 'linked_order_closed', sharedBeyond(exchange, other, order));
}

/** The part of the hold of two linked orders that the one that stays open does not need. */
function sharedBeyond(exchange: Exchange, closing: number, staying: number): Atoms {
  const beyond = BigInt.asIntN(64, fullHold(exchange, closing) - fullHold(exchange, staying));
  return beyond > 0n ? (beyond as Atoms) : ZERO;
}

/** The hold of an order that shares it with none. */
export function fullHold({ books, markets }: Exchange, order: number): Atoms {
  const { orders } = books;
  const market = markets[orders.market(order) - 1];
  const lots = orders.remainingLots(order);
  return holdFor(market, orders.sells(order), orders.priceTicks(order), lots);
}

/** Closes an order that is in no queue, and the order linked to it. */
export function closeOrder(exchange: Exchange, order: number, reason: CloseReason): void {
  const { orders } = exchange.books;
  if (orders.isLinked(order)) {
    const other = unlink(exchange, order);
    closeWith(exchange, order, reason, sharedBeyond(exchange, order, other));
    exchange.books.leave(other);
    closeOrder(exchange, other, 'linked_order_closed');
    return;
  }
  const hasHold = orders.remainingLots(order) > 0 && !holdsExactCost(exchange, order);
  closeWith(exchange, order, reason, hasHold ? fullHold(exchange, order) : ZERO);
}

/** Releases the rest of an order's hold and frees its slot. */
function closeWith(exchange: Exchange, order: number, reason: CloseReason, released: Atoms): void {
  const { books, details, ledger, users } = exchange;
  const { orders } = books;
  const market = exchange.markets[orders.market(order) - 1];
  const sells = orders.sells(order);
  const remaining = orders.remainingLots(order);
  if (released > 0n) {
    ledger.release(sells ? details.baseAccount(order) : details.quoteAccount(order), released);
  }
  const user = orders.user(order);
  const event: OrderClosed = {
    kind: 'OrderClosed',
    command: exchange.command,
    order: orders.number(order),
    user: users.id(user),
    market: market.id,
    reason,
    remainingLots: remaining,
    heldAsset: sells ? market.base : market.quote,
    releasedAtoms: released,
  };
  exchange.events.push(event);
  unlistUserOrder(exchange, user, order);
  const clientId = details.clientId(order);
  if (clientId !== NONE) exchange.clientOrderIds.remember(clientId, exchange.timeMs);
  if (orders.expires(order)) exchange.expiries.remove(order);
  orders.remove(order);
}

/** Appends a new order to its user's list. */
export function listUserOrder(exchange: Exchange, user: number, order: number): void {
  const { books, details, users } = exchange;
  const last = users.lastOrder(user);
  details.setUserBefore(order, last);
  details.setUserBehind(order, NONE);
  if (last === NONE) users.setFirstOrder(user, order);
  else details.setUserBehind(last, order);
  users.setLastOrder(user, order);
  users.setOrdersOpen(user, users.ordersOpen(user) + 1);
  if (books.orders.stopTicks(order) > 0) users.setStopsOpen(user, users.stopsOpen(user) + 1);
}

function unlistUserOrder(exchange: Exchange, user: number, order: number): void {
  const { books, details, users } = exchange;
  const before = details.userBefore(order);
  const behind = details.userBehind(order);
  if (before === NONE) users.setFirstOrder(user, behind);
  else details.setUserBehind(before, behind);
  if (behind === NONE) users.setLastOrder(user, before);
  else details.setUserBefore(behind, before);
  users.setOrdersOpen(user, users.ordersOpen(user) - 1);
  if (books.orders.stopTicks(order) > 0) users.setStopsOpen(user, users.stopsOpen(user) - 1);
}
