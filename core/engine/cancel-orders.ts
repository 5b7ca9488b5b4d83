// Cancels one order by number or client order id, or all orders of a user. Works in every market
// status and in a frozen market. Canceling one order is refused only if it does not exist.

import type {
  CancelAllOrders,
  CancelOrder,
  CancelOrderByClientId,
  CloseReason,
  Refusal,
} from '../messages/index.ts';
import type { KeyId, MarketId, OrderNumber, UserId } from '../money/index.ts';
import { NONE } from '../structures/index.ts';
import { MALFORMED } from './client-order-ids.ts';
import { type Exchange, marketOf } from './exchange.ts';
import { closeOrder } from './match-listener.ts';

/** The slot of this user's open order, or NONE. */
export function findOrder(exchange: Exchange, user: UserId, number: OrderNumber): number {
  const { books, users } = exchange;
  const order = books.orders.find(number);
  if (order === NONE || users.id(books.orders.user(order)) !== user) return NONE;
  return order;
}

/** The slot of the user's open order with this client order id, or NONE. */
export function findOrderByClientId(
  exchange: Exchange,
  { user, clientOrderId }: ClientOrderKey,
): number {
  const { clientOrderIds, users } = exchange;
  const entry = clientOrderIds.find(users.find(user), clientOrderId);
  if (entry === NONE || entry === MALFORMED) return NONE;
  return findOrder(exchange, user, clientOrderIds.order(entry));
}

type ClientOrderKey = Pick<CancelOrderByClientId, 'user' | 'clientOrderId'>;

export function cancelOrder(exchange: Exchange, command: CancelOrder): Refusal {
  const order = findOrder(exchange, command.user, command.order);
  if (order === NONE) return 'order_must_exist';
  exchange.books.leave(order);
  closeOrder(exchange, order, reasonFor(command.byOperator));
  return 'none';
}

export function cancelOrderByClientId(exchange: Exchange, command: CancelOrderByClientId): Refusal {
  const order = findOrderByClientId(exchange, command);
  if (order === NONE) return 'order_must_exist';
  exchange.books.leave(order);
  closeOrder(exchange, order, 'canceled_by_user');
  return 'none';
}

export function cancelAllOrders(exchange: Exchange, command: CancelAllOrders): Refusal {
  const { market, user } = command;
  if (market !== 0 && marketOf(exchange, market) === undefined) return 'market_must_exist';
  closeOrdersOf(exchange, user, { market, key: 0 as KeyId }, reasonFor(command.byOperator));
  return 'none';
}

/** Closes a user's orders in order of placement; market or key 0 means any. Returns the count. */
export function closeOrdersOf(
  exchange: Exchange,
  userId: UserId,
  only: { readonly market: MarketId; readonly key: KeyId },
  reason: CloseReason,
): number {
  const { books, details, users } = exchange;
  let closed = 0;
  let order = users.firstOrder(users.find(userId));
  while (order !== NONE) {
    let next = details.userBehind(order);
    books.visits++;
    const isInMarket = only.market === 0 || books.orders.market(order) === only.market;
    if (isInMarket && (only.key === 0 || details.key(order) === only.key)) {
      books.leave(order);
      // Closes with this one.
      if (next !== NONE && exchange.links.get(order) === next) next = details.userBehind(next);
      closeOrder(exchange, order, reason);
      closed++;
    }
    order = next;
  }
  return closed;
}

function reasonFor(byOperator: boolean): CloseReason {
  return byOperator ? 'canceled_by_operator' : 'canceled_by_user';
}
