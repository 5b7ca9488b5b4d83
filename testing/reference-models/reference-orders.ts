// Places an order: the checks of section 3 in their order, then hold, event and matching.

import type { PlaceOrder, Refusal } from '../../core/messages/index.ts';
import { discountedRatePpm } from './exact-arithmetic.ts';
import {
  accepts,
  addToBook,
  addWaitingStop,
  bestOppositeTicks,
  waitsForFall,
} from './reference-book.ts';
import { admit, checkTraderCapacity, checkUser } from './reference-capacity.ts';
import { orderWithClientOrderId } from './reference-closing.ts';
import { availableOf, hold } from './reference-ledger.ts';
import { walk } from './reference-matching.ts';
import {
  checkPriceBounds,
  checkSizeBounds,
  isInsideBand,
  stopMarketTicks,
  worstMarketTicks,
} from './reference-prices.ts';
import {
  emit,
  findMarket,
  type ReferenceMarket,
  type ReferenceOrder,
  type ReferenceState,
  userOf,
} from './reference-state.ts';
import { bringIn, runStopStep } from './reference-stops.ts';

/** A check-only order changes nothing. */
export function placeOrder(
  state: ReferenceState,
  command: PlaceOrder,
  isChecked = false,
): Refusal | undefined {
  if (checkUser(command.user) !== undefined) return 'user_must_be_valid';
  const market = findMarket(state, command.market);
  if (market === undefined) return 'market_must_exist';
  const refusal =
    checkMarketOpen(state, market) ??
    checkPostOnlyStatus(market, command.postOnly) ??
    checkAuctionStatus(market, command) ??
    checkTerms(market, command) ??
    checkTrigger(state, command) ??
    checkStop(market, command) ??
    checkLink(state, command) ??
    checkExpiry(state, command) ??
    checkClientOrderId(state, command) ??
    checkOpenOrders(state, command) ??
    checkTraderCapacity(state, { user: command.user, assets: [market.base, market.quote] });
  if (refusal !== undefined) return refusal;

  const isStop = command.stopTicks !== 0;
  const priceTicks = priceOf(market, command);
  if (priceTicks === undefined) return 'no_liquidity_within_limits';
  const matchRefusal = isStop ? undefined : checkMatch(state, market, command, priceTicks);
  if (matchRefusal !== undefined) return matchRefusal;

  const terms = {
    ...command,
    priceTicks,
    quick: false,
    holdsExactCost: command.type === 'market' && !isStop && command.side === 'buy',
  };
  const heldAtoms = holdBeyondLinked(state, command, holdOf(state, market, terms));
  const heldAsset = command.side === 'buy' ? market.quote : market.base;
  if (availableOf(state.ledger, command.user, heldAsset) < heldAtoms) {
    return 'available_balance_too_small';
  }
  if (isChecked) return undefined;
  const order = takeOrder(state, market, { ...terms, heldAtoms });
  const linked = state.orders.get(command.linkedOrder);
  if (linked !== undefined) linked.linkedOrder = order.number;
  if (isStop) {
    addWaitingStop(market, order);
  } else if (market.status === 'auction') {
    addToBook(market, order);
  } else {
    bringIn(state, order);
    runStopStep(state, market);
  }
  return undefined;
}

/** Checks 3 and 4. */
export function checkMarketOpen(
  state: ReferenceState,
  market: ReferenceMarket,
): Refusal | undefined {
  if (market.frozenBy !== 0) return 'market_is_frozen';
  const isCollecting =
    state.rulesVersion >= 2 && market.status === 'auction' && !market.isUncrossing;
  const isOpen = market.status === 'full' || market.status === 'post-only' || isCollecting;
  return isOpen ? undefined : 'market_does_not_accept_orders';
}

/** Check 5 for a market in an auction. */
function checkAuctionStatus(market: ReferenceMarket, command: PlaceOrder): Refusal | undefined {
  const isRestingLimit =
    command.type === 'limit' && command.timeInForce === 'GTC' && !command.postOnly;
  if (market.status !== 'auction' || command.stopTicks !== 0 || isRestingLimit) return undefined;
  return 'auction_accepts_resting_limit_orders_only';
}

/** Check 5. */
export function checkPostOnlyStatus(
  market: ReferenceMarket,
  isPostOnly: boolean,
): Refusal | undefined {
  const isRefused = market.status === 'post-only' && !isPostOnly;
  return isRefused ? 'market_accepts_post_only_orders_only' : undefined;
}

/** Checks 6 to 12. */
function checkTerms(market: ReferenceMarket, command: PlaceOrder): Refusal | undefined {
  const refusal =
    checkSizeBounds(market, command.sizeLots) ??
    (command.type === 'limit' ? checkPriceBounds(market, command.priceTicks) : undefined);
  if (refusal !== undefined) return refusal;
  const isMarketOrder = command.type === 'market';
  if (isMarketOrder && command.priceTicks !== 0) return 'market_order_must_not_name_a_price';
  if (command.postOnly && isMarketOrder) return 'post_only_order_must_be_limit';
  if (isMarketOrder && command.timeInForce === 'GTC') return 'market_order_must_be_immediate';
  if (command.postOnly && command.timeInForce !== 'GTC') return 'post_only_order_must_rest';
  if (command.postOnly && command.stopTicks !== 0) return 'post_only_order_must_not_have_stop';
  return undefined;
}

/** The trigger of version 3. */
function checkTrigger(state: ReferenceState, command: PlaceOrder): Refusal | undefined {
  if (command.trigger !== 'take_profit') return undefined;
  if (state.rulesVersion < 3) return 'order_needs_newer_rules';
  return command.stopTicks === 0 ? 'take_profit_needs_a_stop_price' : undefined;
}

/** Checks 13 to 15. */
export function checkStop(
  market: ReferenceMarket,
  command: Pick<PlaceOrder, 'side' | 'stopTicks' | 'trigger'>,
): Refusal | undefined {
  if (command.stopTicks === 0) return undefined;
  const marketTicks = market.lastPriceTicks || market.listingReferenceTicks;
  if (marketTicks === 0) return 'stop_order_needs_a_market_price';
  if (command.stopTicks < market.minPriceTicks) return 'stop_price_below_minimum';
  if (command.stopTicks > market.maxPriceTicks) return 'stop_price_above_maximum';
  const words = command.trigger === 'stop' ? 'stop_price' : 'take_profit_price';
  if (waitsForFall(command) && command.stopTicks >= marketTicks) {
    return `${words}_must_be_below_market_price`;
  }
  if (!waitsForFall(command) && command.stopTicks <= marketTicks) {
    return `${words}_must_be_above_market_price`;
  }
  return undefined;
}

/** The link of version 3. */
function checkLink(state: ReferenceState, command: PlaceOrder): Refusal | undefined {
  if (command.linkedOrder === 0) return undefined;
  if (state.rulesVersion < 3) return 'order_needs_newer_rules';
  if (command.stopTicks === 0) return 'linked_order_needs_a_stop_price';
  const linked = state.orders.get(command.linkedOrder);
  if (linked === undefined || linked.user !== command.user) return 'linked_order_must_be_open';
  const isMatch =
    linked.market === command.market &&
    linked.side === command.side &&
    linked.sizeLots === command.sizeLots &&
    linked.remainingLots === linked.sizeLots;
  if (!isMatch) return 'linked_orders_must_match';
  return linked.linkedOrder === 0 ? undefined : 'linked_order_already_linked';
}

/** The expiry of version 3. */
function checkExpiry(state: ReferenceState, command: PlaceOrder): Refusal | undefined {
  if (command.expiresMs === 0) return undefined;
  if (state.rulesVersion < 3) return 'order_needs_newer_rules';
  const isRestingLimit = command.type === 'limit' && command.timeInForce === 'GTC';
  if (!isRestingLimit && command.stopTicks === 0) return 'expiry_needs_a_resting_order';
  const aheadMs = command.expiresMs - state.timeMs;
  return aheadMs >= 1 && aheadMs <= 366 * 24 * 3_600_000 ? undefined : 'expiry_out_of_range';
}

/** Checks 16 and 17. */
export function checkClientOrderId(
  state: ReferenceState,
  { user, clientOrderId }: { user: number; clientOrderId: string },
): Refusal | undefined {
  if (clientOrderId.length > 36) return 'client_order_id_too_long';
  if (!/^[!-~]*$/.test(clientOrderId)) return 'client_order_id_must_be_printable_ascii';
  const isUsed = orderWithClientOrderId(state, user, clientOrderId) !== 0;
  return isUsed ? 'client_order_id_already_used' : undefined;
}

/** Checks 18 and 19. */
function checkOpenOrders(state: ReferenceState, command: PlaceOrder): Refusal | undefined {
  let isReserved = false;
  const isRestingLimit = command.type === 'limit' && command.timeInForce === 'GTC';
  if (isRestingLimit || command.stopTicks !== 0) {
    let open = 0;
    for (const order of state.orders.values()) if (order.user === command.user) open += 1;
    if (open >= state.limits.ordersPerUserMax) return 'open_orders_limit_reached';
    const reserved = state.rulesVersion >= 2 ? Math.floor(state.limits.ordersMax / 16) : 0;
    isReserved = open > 0 && state.orders.size >= state.limits.ordersMax - reserved;
  }
  if (command.stopTicks !== 0) {
    let stops = 0;
    for (const order of state.orders.values()) {
      if (order.user === command.user && order.stopTicks !== 0) stops += 1;
    }
    if (stops >= state.limits.stopsPerUserMax) return 'user_stops_limit_reached';
  }
  return isReserved ? 'exchange_order_capacity_reached' : checkOrderCapacity(state);
}

export function checkOrderCapacity(state: ReferenceState): Refusal | undefined {
  const isFull = state.orders.size >= state.limits.ordersMax;
  return isFull ? 'exchange_order_capacity_reached' : undefined;
}

/** Returns the price fixed at placement; undefined if a market order has no opposite order. */
function priceOf(market: ReferenceMarket, command: PlaceOrder): number | undefined {
  if (command.type === 'limit') return command.priceTicks;
  if (command.stopTicks !== 0) return stopMarketTicks(market, command.side, command.stopTicks);
  const bestTicks = bestOppositeTicks(market, command.side);
  if (bestTicks === undefined) return undefined;
  return worstMarketTicks(market, command.side, bestTicks);
}

/** Checks 22 to 25. */
function checkMatch(
  state: ReferenceState,
  market: ReferenceMarket,
  command: PlaceOrder,
  priceTicks: number,
): Refusal | undefined {
  if (command.type === 'limit' && !isInsideBand(market, command.side, priceTicks)) {
    return 'price_outside_band';
  }
  if (command.postOnly && wouldTrade(market, command.side, priceTicks)) {
    return 'post_only_order_would_trade';
  }
  const { filledLots } = walk(state, market, { ...command, priceTicks });
  if (command.type === 'market' && filledLots === 0) return 'no_liquidity_within_limits';
  if (command.timeInForce === 'FOK' && filledLots < command.sizeLots) {
    return 'order_cannot_be_filled_completely';
  }
  return undefined;
}

export function wouldTrade(
  market: ReferenceMarket,
  side: PlaceOrder['side'],
  priceTicks: number,
): boolean {
  const bestTicks = bestOppositeTicks(market, side);
  return bestTicks !== undefined && accepts(side, priceTicks, bestTicks);
}

/** Returns the hold beyond that of the linked order, if there is one. */
function holdBeyondLinked(state: ReferenceState, command: PlaceOrder, atoms: bigint): bigint {
  const linked = state.orders.get(command.linkedOrder);
  if (linked === undefined) return atoms;
  return atoms > linked.heldAtoms ? atoms - linked.heldAtoms : 0n;
}

type Terms = Pick<
  ReferenceOrder,
  | 'user'
  | 'key'
  | 'side'
  | 'type'
  | 'timeInForce'
  | 'selfTrade'
  | 'postOnly'
  | 'priceTicks'
  | 'sizeLots'
  | 'stopTicks'
  | 'trigger'
  | 'linkedOrder'
  | 'expiresMs'
  | 'clientOrderId'
  | 'quick'
> & { readonly note: string; readonly holdsExactCost: boolean };

/** Returns the hold for an order with these terms; an exact cost requires walking the book. */
export function holdOf(state: ReferenceState, market: ReferenceMarket, terms: Terms): bigint {
  if (terms.side === 'sell') return market.lotAtoms * BigInt(terms.sizeLots);
  if (terms.holdsExactCost) return walk(state, market, terms).quoteAtoms;
  return market.tickLotAtoms * BigInt(terms.priceTicks) * BigInt(terms.sizeLots);
}

/**
 * Opens an accepted order: its user and accounts, its hold, its rates and its OrderPlaced event.
 */
export function takeOrder(
  state: ReferenceState,
  market: ReferenceMarket,
  terms: Terms & { readonly heldAtoms: bigint },
): ReferenceOrder {
  const { user, side } = terms;
  admit(state, { user, assets: [market.base, market.quote] });
  const heldAsset = side === 'buy' ? market.quote : market.base;
  hold(state.ledger, user, heldAsset, terms.heldAtoms);
  const { tier, discountPpm } = userOf(state, user);
  const rates = market.feesByTier.get(tier) ?? { makerPpm: 0, takerPpm: 0 };
  const seen = {
    user,
    key: terms.key,
    market: market.id,
    side,
    type: terms.type,
    timeInForce: terms.timeInForce,
    selfTrade: terms.selfTrade,
    postOnly: terms.postOnly,
    priceTicks: terms.priceTicks,
    sizeLots: terms.sizeLots,
    stopTicks: terms.stopTicks,
    trigger: terms.trigger,
    linkedOrder: terms.linkedOrder,
    expiresMs: terms.expiresMs,
    makerFeePpm: discountedRatePpm(rates.makerPpm, discountPpm),
    takerFeePpm: discountedRatePpm(rates.takerPpm, discountPpm),
    heldAtoms: terms.heldAtoms,
    clientOrderId: terms.clientOrderId,
    quick: terms.quick,
  };
  const order: ReferenceOrder = {
    ...seen,
    number: state.command,
    remainingLots: terms.sizeLots,
    heldPriceTicks: terms.holdsExactCost ? 0 : terms.priceTicks,
    place: 'incoming',
  };
  state.orders.set(order.number, order);
  const { note } = terms;
  emit(state, { kind: 'OrderPlaced', order: order.number, ...seen, heldAsset, note });
  return order;
}
