// Amending an order in the book. Section 7 of the rules.

import type { AmendOrder, Refusal } from '../../core/messages/index.ts';
import { addToBook, removeFromMarket } from './reference-book.ts';
import { availableOf, hold } from './reference-ledger.ts';
import { checkMarketOpen, checkPostOnlyStatus, wouldTrade } from './reference-orders.ts';
import { checkPriceBounds, checkSizeBounds, isInsideBand } from './reference-prices.ts';
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
}

export function amendOrder(state: ReferenceState, command: AmendOrder): Refusal | undefined {
  const order = state.orders.get(command.order);
  if (order === undefined || order.user !== command.user) return 'order_must_exist';
  const market = marketOf(state, order);
  const change = {
    priceTicks: command.priceTicks === 0 ? order.priceTicks : command.priceTicks,
    sizeLots: command.sizeLots === 0 ? order.sizeLots : command.sizeLots,
  };
  const refusal = checkAmend(state, market, order, change);
  if (refusal !== undefined) return refusal;

  const heldChangeAtoms = newHoldOf(market, order, change) - order.heldAtoms;
  const isOnlySmaller = change.priceTicks === order.priceTicks && change.sizeLots < order.sizeLots;
  if (isOnlySmaller) {
    applyChange(state, market, order, { ...change, keptPriority: true, heldChangeAtoms });
    return undefined;
  }
  const comingBackRefusal = checkComingBack(market, order, change);
  if (comingBackRefusal !== undefined) return comingBackRefusal;
  if (heldChangeAtoms > availableOf(state.ledger, order.user, heldAssetOf(market, order))) {
    return 'available_balance_too_small';
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

function checkAmend(
  state: ReferenceState,
  market: ReferenceMarket,
  order: ReferenceOrder,
  change: Change,
): Refusal | undefined {
  const refusal = checkMarketOpen(state, market);
  if (refusal !== undefined) return refusal;
  if (order.place !== 'book') return 'waiting_stop_cannot_be_amended';
  if (change.priceTicks === order.priceTicks && change.sizeLots === order.sizeLots) {
    return 'amend_must_change_something';
  }
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
  if (refusal !== undefined) return refusal;
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
  const { priceTicks, sizeLots, keptPriority, heldChangeAtoms } = change;
  const heldAsset = heldAssetOf(market, order);
  hold(state.ledger, order.user, heldAsset, heldChangeAtoms);
  order.heldAtoms += heldChangeAtoms;
  order.remainingLots += sizeLots - order.sizeLots;
  order.sizeLots = sizeLots;
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
  });
}
