// Closes an order: removes it from its market, releases its hold, and remembers its client order ID
// among the closed ones.

import type { CloseReason } from '../../core/messages/index.ts';
import { removeFromMarket } from './reference-book.ts';
import { release } from './reference-ledger.ts';
import { emit, marketOf, type ReferenceOrder, type ReferenceState } from './reference-state.ts';

export function closeOrder(
  state: ReferenceState,
  order: ReferenceOrder,
  reason: CloseReason,
): void {
  const linked = unlink(state, order);
  closeAlone(state, order, reason);
  if (linked !== undefined) closeAlone(state, linked, 'linked_order_closed');
}

/** Closes the order that is linked to one that trades now. */
export function closeLinked(state: ReferenceState, order: ReferenceOrder): void {
  const linked = state.orders.get(order.linkedOrder);
  if (linked === undefined) return;
  unlink(state, linked);
  closeAlone(state, linked, 'linked_order_closed');
}

/** Ends a link. The other order now has the hold that it needs alone, this one the rest. */
function unlink(state: ReferenceState, order: ReferenceOrder): ReferenceOrder | undefined {
  const other = state.orders.get(order.linkedOrder);
  if (other === undefined) return undefined;
  const shared = order.heldAtoms + other.heldAtoms;
  other.heldAtoms = aloneHoldOf(state, other);
  order.heldAtoms = shared - other.heldAtoms;
  order.linkedOrder = 0;
  other.linkedOrder = 0;
  return other;
}

/** Returns the hold of an order without a link. */
export function aloneHoldOf(state: ReferenceState, order: ReferenceOrder): bigint {
  const { lotAtoms, tickLotAtoms } = marketOf(state, order);
  const perLot = order.side === 'sell' ? lotAtoms : tickLotAtoms * BigInt(order.heldPriceTicks);
  return perLot * BigInt(order.remainingLots);
}

function closeAlone(state: ReferenceState, order: ReferenceOrder, reason: CloseReason): void {
  const market = marketOf(state, order);
  removeFromMarket(market, order);
  state.orders.delete(order.number);
  rememberClientOrderId(state, order);
  const heldAsset = order.side === 'buy' ? market.quote : market.base;
  release(state.ledger, order.user, heldAsset, order.heldAtoms);
  emit(state, {
    kind: 'OrderClosed',
    order: order.number,
    user: order.user,
    market: order.market,
    reason,
    remainingLots: order.remainingLots,
    heldAsset,
    releasedAtoms: order.heldAtoms,
  });
}

function rememberClientOrderId(state: ReferenceState, order: ReferenceOrder): void {
  if (order.clientOrderId === '') return;
  const { user, clientOrderId, number } = order;
  const closedSeconds = state.rulesVersion < 2 ? 0 : Math.floor(state.timeMs / 1_000);
  state.closedClientOrderIds.push({ user, clientOrderId, order: number, closedSeconds });
  forgetBeyondShare(state, user);
  if (state.closedClientOrderIds.length > state.limits.clientOrderIdWindow) {
    const [oldest] = state.closedClientOrderIds;
    const isOld = Math.floor(state.timeMs / 1_000) - oldest.closedSeconds >= 600;
    if (state.rulesVersion < 2 || isOld) state.closedClientOrderIds.shift();
    else forgetFairly(state);
  }
}

/**
 * Removes the oldest ID of the user with the most remembered IDs (on a tie, the user created
 * first).
 */
function forgetFairly(state: ReferenceState): void {
  const ids = state.closedClientOrderIds;
  const countOf = (user: number) => ids.filter((one) => one.user === user).length;
  let [most] = state.users.keys();
  let largest = 0;
  for (const user of state.users.keys()) {
    const count = countOf(user);
    if (count > largest) [most, largest] = [user, count];
  }
  ids.splice(
    ids.findIndex((one) => one.user === most),
    1,
  );
}

/** Removes a user's oldest IDs beyond the per-user share. */
export function forgetBeyondShare(state: ReferenceState, user: number): void {
  const ids = state.closedClientOrderIds;
  let beyond =
    ids.filter((one) => one.user === user).length - state.limits.clientOrderIdsPerUserMax;
  for (; beyond > 0; beyond -= 1) {
    ids.splice(
      ids.findIndex((one) => one.user === user),
      1,
    );
  }
}

export function findOpenByClientOrderId(
  state: ReferenceState,
  user: number,
  clientOrderId: string,
): ReferenceOrder | undefined {
  if (clientOrderId === '') return undefined;
  for (const order of state.orders.values()) {
    if (order.user === user && order.clientOrderId === clientOrderId) return order;
  }
  return undefined;
}

/** Returns the open or remembered order with this client order ID, or 0 if there is none. */
export function orderWithClientOrderId(
  state: ReferenceState,
  user: number,
  clientOrderId: string,
): number {
  if (clientOrderId === '') return 0;
  const open = findOpenByClientOrderId(state, user, clientOrderId);
  if (open !== undefined) return open.number;
  const closed = state.closedClientOrderIds.find(
    (one) => one.user === user && one.clientOrderId === clientOrderId,
  );
  return closed?.order ?? 0;
}
