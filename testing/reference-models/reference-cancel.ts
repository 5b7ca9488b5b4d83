// Cancels one order, one by its client order ID, or all of a user. Section 7 of the rules.

import type {
  CancelAllOrders,
  CancelOrder,
  CancelOrderByClientId,
  Refusal,
} from '../../core/messages/index.ts';
import { closeOrder, findOpenByClientOrderId } from './reference-closing.ts';
import { findMarket, type ReferenceState } from './reference-state.ts';

export function cancelOrder(state: ReferenceState, command: CancelOrder): Refusal | undefined {
  const order = state.orders.get(command.order);
  if (order === undefined || order.user !== command.user) return 'order_must_exist';
  closeOrder(state, order, reasonOf(command));
  return undefined;
}

export function cancelOrderByClientId(
  state: ReferenceState,
  command: CancelOrderByClientId,
): Refusal | undefined {
  const order = findOpenByClientOrderId(state, command.user, command.clientOrderId);
  if (order === undefined) return 'order_must_exist';
  closeOrder(state, order, 'canceled_by_user');
  return undefined;
}

export function cancelAllOrders(
  state: ReferenceState,
  command: CancelAllOrders,
): Refusal | undefined {
  if (command.market !== 0 && findMarket(state, command.market) === undefined) {
    return 'market_must_exist';
  }
  for (const order of [...state.orders.values()]) {
    const isMeant = command.market === 0 || order.market === command.market;
    const isOpen = state.orders.has(order.number);
    if (isOpen && order.user === command.user && isMeant) {
      closeOrder(state, order, reasonOf(command));
    }
  }
  return undefined;
}

function reasonOf(command: { byOperator: boolean }): 'canceled_by_operator' | 'canceled_by_user' {
  return command.byOperator ? 'canceled_by_operator' : 'canceled_by_user';
}
