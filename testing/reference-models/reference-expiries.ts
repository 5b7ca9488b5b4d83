// Orders whose time has come close at the start of a frame. Section 15 of the rules.

import { closeOrder } from './reference-closing.ts';
import type { ReferenceMarket, ReferenceState } from './reference-state.ts';

export function expireOrders(state: ReferenceState, market: ReferenceMarket): void {
  if (market.frozenBy !== 0) return;
  for (let closed = 0; closed < state.limits.stopsPerStepMax; closed += 1) {
    const [next] = [...state.orders.values()]
      .filter((order) => order.market === market.id && order.expiresMs !== 0)
      .filter((order) => order.expiresMs <= state.timeMs)
      .sort((a, b) => a.expiresMs - b.expiresMs || a.number - b.number);
    if (next === undefined) return;
    closeOrder(state, next, 'expired');
  }
}
