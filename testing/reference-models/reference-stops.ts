// Incoming orders and the stops that their trades trigger: the ready queue, the bounded step that
// processes it, and the activation of a stop. Section 6 of the rules.

import { addToBook, removeFromMarket, triggerStops } from './reference-book.ts';
import { closeLinked, closeOrder } from './reference-closing.ts';
import { matchIncoming, walk } from './reference-matching.ts';
import { insideBandTicks, isInsideBand } from './reference-prices.ts';
import {
  emit,
  marketOf,
  type ReferenceMarket,
  type ReferenceOrder,
  type ReferenceState,
} from './reference-state.ts';

/** Matches an incoming order, rests or closes the remainder, and queues the stops it triggered. */
export function bringIn(state: ReferenceState, order: ReferenceOrder): void {
  const market = marketOf(state, order);
  const traded = matchIncoming(state, order);
  if (state.orders.has(order.number)) {
    const mayRest = order.type === 'limit' && order.timeInForce === 'GTC';
    if (mayRest) addToBook(market, order);
    else closeOrder(state, order, 'immediate_order_remainder');
  }
  if (traded !== undefined) triggerStops(market, traded);
}

/** Activates ready stops in queue order, up to the bound per step. */
export function runStopStep(state: ReferenceState, market: ReferenceMarket): void {
  if (market.frozenBy !== 0 || market.status !== 'full') return;
  const tradesBefore = state.trades;
  for (let activated = 0; activated < state.limits.stopsPerStepMax; activated += 1) {
    const stop = market.readyStops[0];
    if (stop === undefined) return;
    const isFull = state.trades - tradesBefore >= state.limits.fillsPerCommandMax;
    if (state.rulesVersion >= 2 && isFull) return;
    removeFromMarket(market, stop);
    activate(state, market, stop);
  }
}

function activate(state: ReferenceState, market: ReferenceMarket, stop: ReferenceOrder): void {
  const { number: order, user } = stop;
  emit(state, { kind: 'OrderTriggered', order, user, market: market.id });
  closeLinked(state, stop);
  if (stop.type === 'limit' && !isInsideBand(market, stop.side, stop.priceTicks)) {
    closeOrder(state, stop, 'price_outside_band');
    return;
  }
  if (stop.type === 'market') {
    stop.priceTicks = insideBandTicks(market, stop.side, stop.priceTicks);
  }
  const { filledLots } = walk(state, market, stop);
  if (stop.timeInForce === 'FOK' && filledLots < stop.sizeLots) {
    closeOrder(state, stop, 'order_cannot_be_filled_completely');
  } else if (stop.type === 'market' && filledLots === 0) {
    closeOrder(state, stop, 'no_liquidity_within_limits');
  } else {
    bringIn(state, stop);
  }
}
