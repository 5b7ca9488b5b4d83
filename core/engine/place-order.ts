// Places an order: all checks first, in the order of docs/trading-rules.md, section 3, then the
// changes. No change happens before the last check, so nothing ever needs to be undone.

import { packTerms, selfTradeCode, timeInForceCode, type Walk } from '../matching/index.ts';
import type { PlaceOrder, Refusal } from '../messages/index.ts';
import {
  type Atoms,
  discountedPpm,
  type OrderNumber,
  type Ppm,
  type Ticks,
  type UserId,
} from '../money/index.ts';
import { assert, NONE } from '../structures/index.ts';
import { findOrder } from './cancel-orders.ts';
import { CLIENT_ORDER_ID_LENGTH_MAX, MALFORMED } from './client-order-ids.ts';
import { type Exchange, marketOf } from './exchange.ts';
import {
  accepts,
  bringInsideBand,
  isInsideBand,
  type Market,
  marketTicks,
  worstTicks,
} from './market.ts';
import { activateStops, matchIncoming } from './match-incoming.ts';
import { fullHold, holdFor, linkOrders, listUserOrder } from './match-listener.ts';
import { openAccount } from './open-account.ts';
import { isUser } from './users.ts';

/** One part in so many of `ordersMax` is for users without open orders. */
const RESERVED_PART = 16;
/** 366 days. */
const EXPIRY_MAX_MS = 366 * 86_400_000;

/** The user who places an order and the accounts it settles on; NONE where not yet created. */
export interface Party {
  readonly user: number;
  readonly baseAccount: number;
  readonly quoteAccount: number;
}

/** With `checksOnly` the order is not placed: nothing changes. */
export function placeOrder(exchange: Exchange, order: PlaceOrder, checksOnly = false): Refusal {
  const market = marketOf(exchange, order.market);
  const marketRefusal = refuseForMarket(order, market, exchange.rulesVersion);
  if (marketRefusal !== 'none') return marketRefusal;
  assert(market !== undefined, 'refuseForMarket accepts listed markets only');
  const formRefusal = refuseForm(market, order, exchange.rulesVersion);
  if (formRefusal !== 'none') return formRefusal;
  const linked =
    order.linkedOrder === 0 ? NONE : findOrder(exchange, order.user, order.linkedOrder);
  const linkRefusal = refuseLink(exchange, order, linked);
  if (linkRefusal !== 'none') return linkRefusal;
  const expiryRefusal = refuseExpiry(exchange, order);
  if (expiryRefusal !== 'none') return expiryRefusal;
  const party = findParty(exchange, market, order.user);
  const capacityRefusal = refuseForUserAndCapacity(exchange, order, party);
  if (capacityRefusal !== 'none') return capacityRefusal;
  const waits = order.stopTicks > 0;
  const sells = order.side === 'sell';
  const price = waits ? stopPrice(market, order) : incomingPrice(exchange, market, order);
  const needsWalk = !waits && (order.type === 'market' || order.timeInForce === 'FOK');
  const walk = needsWalk ? walkForOrder(exchange, order, party, price) : undefined;
  if (!waits) {
    const bookRefusal = refuseForBook(exchange, market, order, price, walk);
    if (bookRefusal !== 'none') return bookRefusal;
  }
  const holdsExactCost = walk !== undefined && order.type === 'market' && !sells;
  const full = holdsExactCost
    ? (BigInt.asIntN(64, market.tickLotAtoms * walk.tickLots) as Atoms)
    : holdFor(market, sells, price, order.sizeLots);
  const held = linked === NONE ? full : beyond(full, fullHold(exchange, linked));
  if (!covers(exchange, party, sells, held)) return 'available_balance_too_small';
  if (checksOnly) return 'none';

  const slot = admitOrder(exchange, market, order, party, price, held, false);
  if (waits) {
    exchange.books.wait(slot);
    if (linked !== NONE) linkOrders(exchange, slot, linked);
  } else if (market.status === 'auction') {
    exchange.books.rest(slot);
  } else {
    matchIncoming(exchange, slot, price);
    activateStops(exchange, market);
  }
  return 'none';
}

/** Checks 1 to 5: the user, the market and its status. */
export function refuseForMarket(
  order: PlaceOrder,
  market: Market | undefined,
  rulesVersion: number,
): Refusal {
  if (!isUser(order.user)) return 'user_must_be_valid';
  if (market === undefined) return 'market_must_exist';
  if (market.frozenBy !== 0) return 'market_is_frozen';
  const accepted = accepts(market, rulesVersion);
  if (accepted === 'none') return 'market_does_not_accept_orders';
  if (accepted === 'post_only' && !order.postOnly) return 'market_accepts_post_only_orders_only';
  if (accepted !== 'resting_limit' || order.stopTicks > 0) return 'none';
  const isRestingLimit = order.type === 'limit' && order.timeInForce === 'GTC' && !order.postOnly;
  return isRestingLimit ? 'none' : 'auction_accepts_resting_limit_orders_only';
}

export function refuseSize(market: Market, sizeLots: number): Refusal {
  if (sizeLots < market.minSizeLots) return 'size_below_minimum';
  if (sizeLots > market.maxSizeLots) return 'size_above_maximum';
  return 'none';
}

export function refusePrice(market: Market, priceTicks: number): Refusal {
  if (priceTicks < market.minPriceTicks) return 'price_below_minimum';
  if (priceTicks > market.maxPriceTicks) return 'price_above_maximum';
  return 'none';
}

/** Checks 6 to 15: the order alone, and its stop against the market price. */
function refuseForm(market: Market, order: PlaceOrder, rulesVersion: number): Refusal {
  const wrongSize = refuseSize(market, order.sizeLots);
  if (wrongSize !== 'none') return wrongSize;
  const isMarket = order.type === 'market';
  if (isMarket) {
    if (order.priceTicks !== 0) return 'market_order_must_not_name_a_price';
    if (order.postOnly) return 'post_only_order_must_be_limit';
    if (order.timeInForce === 'GTC') return 'market_order_must_be_immediate';
  } else {
    const wrongPrice = refusePrice(market, order.priceTicks);
    if (wrongPrice !== 'none') return wrongPrice;
  }
  if (order.postOnly) {
    if (order.timeInForce !== 'GTC') return 'post_only_order_must_rest';
    if (order.stopTicks > 0) return 'post_only_order_must_not_have_stop';
  }
  const takesProfit = order.trigger === 'take_profit';
  if (takesProfit && rulesVersion < 3) return 'order_needs_newer_rules';
  if (order.stopTicks > 0) {
    return refuseStop(market, order.side === 'sell', takesProfit, order.stopTicks);
  }
  return takesProfit ? 'take_profit_needs_a_stop_price' : 'none';
}

/** Checks 13 to 15. */
export function refuseStop(
  market: Market,
  sells: boolean,
  takesProfit: boolean,
  stopTicks: Ticks,
): Refusal {
  const now = marketTicks(market);
  if (now === 0) return 'stop_order_needs_a_market_price';
  if (stopTicks < market.minPriceTicks) return 'stop_price_below_minimum';
  if (stopTicks > market.maxPriceTicks) return 'stop_price_above_maximum';
  if (sells !== takesProfit) {
    if (stopTicks < now) return 'none';
    return takesProfit
      ? 'take_profit_price_must_be_below_market_price'
      : 'stop_price_must_be_below_market_price';
  }
  if (stopTicks > now) return 'none';
  return takesProfit
    ? 'take_profit_price_must_be_above_market_price'
    : 'stop_price_must_be_above_market_price';
}

/** Check 15a: an order can be linked to one open order with the same market, side and size. */
function refuseLink(
  { books: { orders }, rulesVersion }: Exchange,
  order: PlaceOrder,
  linked: number,
): Refusal {
  if (order.linkedOrder === 0) return 'none';
  if (rulesVersion < 3) return 'order_needs_newer_rules';
  if (order.stopTicks === 0) return 'linked_order_needs_a_stop_price';
  if (linked === NONE) return 'linked_order_must_be_open';
  if (
    orders.market(linked) !== order.market ||
    orders.sells(linked) !== (order.side === 'sell') ||
    orders.sizeLots(linked) !== order.sizeLots ||
    orders.remainingLots(linked) !== order.sizeLots
  ) {
    return 'linked_orders_must_match';
  }
  return orders.isLinked(linked) ? 'linked_order_already_linked' : 'none';
}

/** Only an order that may rest can expire, within a year. */
function refuseExpiry({ rulesVersion, timeMs }: Exchange, order: PlaceOrder): Refusal {
  const { expiresMs } = order;
  if (expiresMs === 0) return 'none';
  if (rulesVersion < 3) return 'order_needs_newer_rules';
  if (!mayRest(order)) return 'expiry_needs_a_resting_order';
  return expiresMs > timeMs && expiresMs <= timeMs + EXPIRY_MAX_MS ? 'none' : 'expiry_out_of_range';
}

function mayRest({ stopTicks, timeInForce, type }: PlaceOrder): boolean {
  return stopTicks > 0 || (type === 'limit' && timeInForce === 'GTC');
}

/** The part of a hold above another one. */
function beyond(held: Atoms, other: Atoms): Atoms {
  return held > other ? (BigInt.asIntN(64, held - other) as Atoms) : (0n as Atoms);
}

/** Checks 16 and 17. */
export function refuseClientOrderId(exchange: Exchange, user: number, text: string): Refusal {
  if (text === '') return 'none';
  if (text.length > CLIENT_ORDER_ID_LENGTH_MAX) return 'client_order_id_too_long';
  const entry = exchange.clientOrderIds.find(user, text);
  if (entry === MALFORMED) return 'client_order_id_must_be_printable_ascii';
  return entry === NONE ? 'none' : 'client_order_id_already_used';
}

/** Looks up the user and its two accounts, once for all checks. */
export function findParty({ ledger, users }: Exchange, market: Market, userId: UserId): Party {
  return {
    user: users.find(userId),
    baseAccount: ledger.accounts.find(userId, market.base),
    quoteAccount: ledger.accounts.find(userId, market.quote),
  };
}

/** Checks 16 to 21: the client order id, the user's open orders, and capacity. */
function refuseForUserAndCapacity(exchange: Exchange, order: PlaceOrder, party: Party): Refusal {
  const used = refuseClientOrderId(exchange, party.user, order.clientOrderId);
  if (used !== 'none') return used;
  const rests = mayRest(order);
  if (rests) {
    const open = exchange.users.ordersOpen(party.user);
    if (open >= exchange.limits.ordersPerUserMax) return 'open_orders_limit_reached';
  }
  if (order.stopTicks > 0) {
    const stops = exchange.users.stopsOpen(party.user);
    if (stops >= exchange.limits.stopsPerUserMax) return 'user_stops_limit_reached';
  }
  if (rests && isReserved(exchange, party)) return 'exchange_order_capacity_reached';
  return refuseForCapacity(exchange, party);
}

/** Whether the rest of `ordersMax` is reserved for users without open orders. */
function isReserved({ books, limits, rulesVersion, users }: Exchange, { user }: Party): boolean {
  if (rulesVersion < 2 || users.ordersOpen(user) === 0) return false;
  const reserved = Math.floor(limits.ordersMax / RESERVED_PART);
  return books.orders.size >= limits.ordersMax - reserved;
}

/** Checks 19 to 21: the capacities of the exchange, and the user's share of accounts. */
export function refuseForCapacity(exchange: Exchange, party: Party): Refusal {
  const { books, ledger, limits, users } = exchange;
  if (books.orders.size >= limits.ordersMax) return 'exchange_order_capacity_reached';
  if (party.user === NONE && users.size >= limits.usersMax) {
    return 'exchange_user_capacity_reached';
  }
  const missing = Number(party.baseAccount === NONE) + Number(party.quoteAccount === NONE);
  if (missing === 0) return 'none';
  if (users.accountsOpen(party.user) + missing > limits.accountsPerUserMax) {
    return 'user_accounts_limit_reached';
  }
  return missing > ledger.room ? 'exchange_account_capacity_reached' : 'none';
}

/** The worst price of an order that matches now; 0 for a market order on an empty side. */
function incomingPrice(exchange: Exchange, market: Market, order: PlaceOrder): Ticks {
  if (order.type === 'limit') return order.priceTicks;
  const sells = order.side === 'sell';
  const best = exchange.books.bestOppositeTicks(market.id, sells);
  if (best === 0) return 0 as Ticks;
  return bringInsideBand(market, sells, worstTicks(market, sells, best));
}

function stopPrice(market: Market, order: PlaceOrder): Ticks {
  if (order.type === 'limit') return order.priceTicks;
  return worstTicks(market, order.side === 'sell', order.stopTicks);
}

/** Checks 22 to 25: the order against the band and the book. Only some orders need a walk. */
function refuseForBook(
  exchange: Exchange,
  market: Market,
  order: PlaceOrder,
  price: Ticks,
  walk: Walk | undefined,
): Refusal {
  const sells = order.side === 'sell';
  if (order.type === 'limit' && !isInsideBand(market, sells, price)) return 'price_outside_band';
  if (order.postOnly && crosses(exchange, market, sells, price)) {
    return 'post_only_order_would_trade';
  }
  if (walk === undefined) return 'none';
  if (order.type === 'market' && walk.lots === 0) return 'no_liquidity_within_limits';
  const isFillOrKill = order.timeInForce === 'FOK';
  if (isFillOrKill && walk.lots < order.sizeLots) return 'order_cannot_be_filled_completely';
  return 'none';
}

/** Walks the book as this order would match. */
export function walkForOrder(
  exchange: Exchange,
  order: PlaceOrder,
  party: Party,
  worst: Ticks,
): Walk {
  return exchange.books.walk({
    market: order.market,
    sells: order.side === 'sell',
    user: party.user,
    selfTrade: selfTradeCode(order.selfTrade),
    worstTicks: worst,
    lots: order.sizeLots,
    fillsMax: exchange.limits.fillsPerCommandMax,
    ownOrdersMax: exchange.limits.ownOrdersPerCommandMax,
  });
}

/** True if an order of this side and price would trade immediately. */
export function crosses(exchange: Exchange, market: Market, sells: boolean, price: Ticks): boolean {
  const best = exchange.books.bestOppositeTicks(market.id, sells);
  return best !== 0 && (sells ? price <= best : price >= best);
}

/** Check 26. */
export function covers({ ledger }: Exchange, party: Party, sells: boolean, held: Atoms): boolean {
  const account = sells ? party.baseAccount : party.quoteAccount;
  return ledger.accounts.availableAtoms(account) >= held;
}

/** The first changes: creates user and accounts, the hold and the order; emits OrderPlaced. */
export function admitOrder(
  exchange: Exchange,
  market: Market,
  order: PlaceOrder,
  party: Party,
  price: Ticks,
  held: Atoms,
  quick: boolean,
): number {
  const { books, details, users } = exchange;
  const { orders } = books;
  const sells = order.side === 'sell';
  const number = exchange.command as OrderNumber;
  const { user, baseAccount, quoteAccount } = openMissingAccounts(exchange, market, order, party);
  exchange.ledger.hold(sells ? baseAccount : quoteAccount, held);
  const slot = orders.add(number, market.id, user, termsOf(order, quick));
  orders.setPriceTicks(slot, price);
  orders.setSizeLots(slot, order.sizeLots);
  orders.setRemainingLots(slot, order.sizeLots);
  orders.setStopTicks(slot, order.stopTicks);
  const { clientOrderId, expiresMs } = order;
  if (expiresMs > 0) exchange.expiries.add({ expiresMs, number, slot, market: market.id });
  const clientId =
    clientOrderId === '' ? NONE : exchange.clientOrderIds.add(user, clientOrderId, number);
  const tier = users.tier(user);
  const discount = users.discountPpm(user);
  const makerFeePpm = discountedPpm(market.makerPpmByTier[tier] as Ppm, discount);
  const takerFeePpm = discountedPpm(market.takerPpmByTier[tier] as Ppm, discount);
  const { key } = order;
  details.set(slot, { makerFeePpm, takerFeePpm, baseAccount, quoteAccount, key, clientId });
  listUserOrder(exchange, user, slot);
  exchange.events.push({
    kind: 'OrderPlaced',
    command: exchange.command,
    order: number,
    user: order.user,
    key,
    market: market.id,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    selfTrade: order.selfTrade,
    postOnly: order.postOnly,
    priceTicks: price,
    sizeLots: order.sizeLots,
    stopTicks: order.stopTicks,
    makerFeePpm,
    takerFeePpm,
    heldAsset: sells ? market.base : market.quote,
    heldAtoms: held,
    clientOrderId,
    note: order.note,
    quick,
    trigger: order.trigger,
    linkedOrder: order.linkedOrder,
    expiresMs: order.expiresMs,
  });
  return slot;
}

function termsOf(order: PlaceOrder, quick: boolean): number {
  return packTerms({
    sells: order.side === 'sell',
    isMarket: order.type === 'market',
    postOnly: order.postOnly,
    quick,
    takesProfit: order.trigger === 'take_profit',
    expires: order.expiresMs > 0,
    timeInForce: timeInForceCode(order.timeInForce),
    selfTrade: selfTradeCode(order.selfTrade),
  });
}

/** Creates the user, then the base account, then the quote account, where they are missing. */
function openMissingAccounts(
  exchange: Exchange,
  market: Market,
  { user: userId }: PlaceOrder,
  party: Party,
): Party {
  const { baseAccount, quoteAccount } = party;
  if (party.user !== NONE && baseAccount !== NONE && quoteAccount !== NONE) return party;
  const user = party.user === NONE ? exchange.users.findOrAdd(userId) : party.user;
  return {
    user,
    baseAccount: baseAccount === NONE ? openAccount(exchange, user, market.base) : baseAccount,
    quoteAccount: quoteAccount === NONE ? openAccount(exchange, user, market.quote) : quoteAccount,
  };
}
