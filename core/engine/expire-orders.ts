// Closes the orders of a market whose time has come, at the start of a frame: earliest first, in
// every status. A frozen market keeps them, because time has no effect on it.

import type { Exchange } from './exchange.ts';
import type { Market } from './market.ts';
import { closeOrder } from './match-listener.ts';

export function expireOrders(exchange: Exchange, market: Market): void {
  const { books, expiries, limits, timeMs } = exchange;
  if (market.frozenBy !== 0 || expiries.nextMs(market.id) > timeMs) return;
  for (let closed = 0; closed < limits.stopsPerStepMax; closed++) {
    const order = expiries.takeDue(market.id, timeMs);
    if (order === undefined) return;
    books.visits++;
    books.leave(order);
    closeOrder(exchange, order, 'expired');
  }
}
