// Amending an order in the book or a waiting stop. Section 7 of the rules.

import type { AmendOrder, Refusal } from '../../core/messages/index.ts';
import { addToBook, addWaitingStop, removeFromMarket } from './reference-book.ts';
import { availableOf, hold } from './reference-ledger.ts';
import { checkMarketOpen, checkPostOnlyStatus, checkStop, wouldTrade } from './reference-orders.ts';
import {
  checkPriceBounds,
  checkSizeBounds,
  isInsideBand,
  stopMarketTicks,
} from './reference-prices.ts';
import {
  emit,
  marketOf,
  type ReferenceMarket,
  type ReferenceOrder,
  type ReferenceState,
} from './reference-state.ts';
import { bringIn, runStopStep } from './reference-stops.ts';

interface Change {
  readonly priceTicks: number;
  readonly sizeLots: number;
  /** 0 for an order in the book. */
  readonly stopTicks: number;
}

export function amendOrder(state: ReferenceState, command: AmendOrder): Refusal | undefined {
  const order = state.orders.get(command.order);
  if (order === undefined || order.user !== command.user) return 'order_must_exist';
  const market = marketOf(state, order);
  const openRefusal = checkMarketOpen(state, market);
  if (openRefusal !== undefined) return openRefusal;
  if (order.linkedOrder !== 0) return 'linked_order_cannot_be_amended';
  const stopRefusal = checkNewStop(state, market, order, command);
  if (stopRefusal !== undefined) return stopRefusal;
  const change = changeOf(market, order, command);
  const refusal = checkAmend(market, order, change);
  if (refusal !== undefined) return refusal;

  const heldChangeAtoms = newHoldOf(market, order, change) - order.heldAtoms;
  const isWaiting = order.place === 'waiting';
  const isStopMoved = isWaiting && change.stopTicks !== order.stopTicks;
  const isOnlySmaller =
    change.priceTicks === order.priceTicks && !isStopMoved && change.sizeLots < order.sizeLots;
  if (isOnlySmaller) {
    applyChange(state, market, order, { ...change, keptPriority: true, heldChangeAtoms });
    return undefined;
  }
  const comingBackRefusal = checkComingBack(market, order, change);
  if (comingBackRefusal !== undefined) return comingBackRefusal;
  if (heldChangeAtoms > availableOf(state.ledger, order.user, heldAssetOf(market, order))) {
    return 'available_balance_too_small';
  }
  if (isWaiting) {
    if (isStopMoved) removeFromMarket(market, order);
    const keptPriority = !isStopMoved;
    applyChange(state, market, order, { ...change, keptPriority, heldChangeAtoms });
    if (isStopMoved) addWaitingStop(market, order);
    return undefined;
  }
  removeFromMarket(market, order);
  applyChange(state, market, order, { ...change, keptPriority: false, heldChangeAtoms });
  if (market.status === 'auction') {
    addToBook(market, order);
    return undefined;
  }
  bringIn(state, order);
  runStopStep(state, market);
  return undefined;
}

function checkNewStop(
  state: ReferenceState,
  market: ReferenceMarket,
  order: ReferenceOrder,
  { priceTicks, stopTicks }: AmendOrder,
): Refusal | undefined {
  if (order.place === 'book') {
    return stopTicks === 0 ? undefined : 'amended_stop_price_needs_a_waiting_stop';
  }
  if (state.rulesVersion < 3) return 'waiting_stop_cannot_be_amended';
  if (order.place === 'ready') return 'triggered_stop_cannot_be_amended';
  if (order.type === 'market' && priceTicks !== 0) return 'market_order_must_not_name_a_price';
  if (stopTicks === 0 || stopTicks === order.stopTicks) return undefined;
  return checkStop(market, { side: order.side, trigger: order.trigger, stopTicks });
}

function changeOf(market: ReferenceMarket, order: ReferenceOrder, command: AmendOrder): Change {
  const stopBefore = order.place === 'waiting' ? order.stopTicks : 0;
  const stopTicks = command.stopTicks === 0 ? stopBefore : command.stopTicks;
  let priceTicks = command.priceTicks === 0 ? order.priceTicks : command.priceTicks;
  if (order.type === 'market' && stopTicks !== stopBefore) {
    priceTicks = stopMarketTicks(market, order.side, stopTicks);
  }
  const sizeLots = command.sizeLots === 0 ? order.sizeLots : command.sizeLots;
  return { priceTicks, sizeLots, stopTicks };
}

function checkAmend(
  market: ReferenceMarket,
  order: ReferenceOrder,
  change: Change,
): Refusal | undefined {
  const isStopKept = order.place === 'book' || change.stopTicks === order.stopTicks;
  const isRestKept = change.priceTicks === order.priceTicks && change.sizeLots === order.sizeLots;
  if (isStopKept && isRestKept) return 'amend_must_change_something';
  const sizeRefusal = checkSizeBounds(market, change.sizeLots);
  if (sizeRefusal !== undefined) return sizeRefusal;
  const filledLots = order.sizeLots - order.remainingLots;
  if (change.sizeLots <= filledLots) return 'amended_size_must_exceed_filled_size';
  return checkPriceBounds(market, change.priceTicks);
}

/** Checks only an order that loses its position and enters the book again. */
function checkComingBack(
  market: ReferenceMarket,
  order: ReferenceOrder,
  change: Change,
): Refusal | undefined {
  const refusal = checkPostOnlyStatus(market, order.postOnly);
  if (refusal !== undefined || order.place === 'waiting') return refusal;
  const isPriceChanged = change.priceTicks !== order.priceTicks;
  if (isPriceChanged && !isInsideBand(market, order.side, change.priceTicks)) {
    return 'price_outside_band';
  }
  const mayTrade = market.status !== 'auction';
  if (order.postOnly && mayTrade && wouldTrade(market, order.side, change.priceTicks)) {
    return 'post_only_order_would_trade';
  }
  return undefined;
}

function newHoldOf(market: ReferenceMarket, order: ReferenceOrder, change: Change): bigint {
  const filledLots = order.sizeLots - order.remainingLots;
  const remainingLots = BigInt(change.sizeLots - filledLots);
  if (order.side === 'sell') return market.lotAtoms * remainingLots;
  return market.tickLotAtoms * BigInt(change.priceTicks) * remainingLots;
}

function heldAssetOf(market: ReferenceMarket, order: ReferenceOrder): number {
  return order.side === 'buy' ? market.quote : market.base;
}

function applyChange(
  state: ReferenceState,
  market: ReferenceMarket,
  order: ReferenceOrder,
  change: Change & { readonly keptPriority: boolean; readonly heldChangeAtoms: bigint },
): void {
  const { priceTicks, sizeLots, stopTicks, keptPriority, heldChangeAtoms } = change;
  const heldAsset = heldAssetOf(market, order);
  hold(state.ledger, order.user, heldAsset, heldChangeAtoms);
  order.heldAtoms += heldChangeAtoms;
  order.remainingLots += sizeLots - order.sizeLots;
  order.sizeLots = sizeLots;
  if (order.place !== 'book' && stopTicks !== 0) order.stopTicks = stopTicks;
  order.priceTicks = priceTicks;
  order.heldPriceTicks = priceTicks;
  emit(state, {
    kind: 'OrderAmended',
    order: order.number,
    user: order.user,
    market: market.id,
    priceTicks,
    sizeLots,
    remainingLots: order.remainingLots,
    keptPriority,
    heldAsset,
    heldChangeAtoms,
    stopTicks,
  });
}
