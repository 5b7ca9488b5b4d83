// Matches an incoming order, then rests or closes it. The stops that its trades trigger become
// ready and activate, a bounded number per step. All checks are done before; nothing is refused.

import { FILL_OR_KILL, GOOD_TILL_CANCELED, type Walk } from '../matching/index.ts';
import type { Ticks } from '../money/index.ts';
import { NONE } from '../structures/index.ts';
import type { Exchange } from './exchange.ts';
import { bringInsideBand, isInsideBand, type Market } from './market.ts';
import { closeLinked, closeOrder } from './match-listener.ts';

/** Matches an order that is in no queue, at `worst` or better; rests or closes the remainder. */
export function matchIncoming(exchange: Exchange, order: number, worst: Ticks): void {
  const { books, limits, matchListener } = exchange;
  const end = books.match(order, worst, limits, matchListener);
  if (end !== 'met_nothing_more') {
    closeOrder(exchange, order, end);
  } else if (
    books.orders.timeInForce(order) === GOOD_TILL_CANCELED &&
    !books.orders.isMarket(order)
  ) {
    books.rest(order);
  } else {
    closeOrder(exchange, order, 'immediate_order_remainder');
  }
}

/** One bounded step of a market's stop cascade. Further ready stops wait for the next step. */
export function activateStops(exchange: Exchange, market: Market): void {
  if (market.frozenBy !== 0 || market.status !== 'full') return;
  const { books, limits } = exchange;
  const { fillsPerCommandMax, stopsPerStepMax } = limits;
  const before = exchange.tradesExecuted;
  for (let activated = 0; activated < stopsPerStepMax; activated++) {
    const order = books.firstReady(market.id);
    if (order === NONE) return;
    activate(exchange, market, order);
    const fills = exchange.tradesExecuted - before;
    if (exchange.rulesVersion >= 2 && fills >= fillsPerCommandMax) return;
  }
}

function activate(exchange: Exchange, market: Market, order: number): void {
  const { books, users } = exchange;
  const { orders } = books;
  books.leave(order);
  exchange.events.push({
    kind: 'OrderTriggered',
    command: exchange.command,
    order: orders.number(order),
    user: users.id(orders.user(order)),
    market: market.id,
  });
  if (orders.isLinked(order)) closeLinked(exchange, order);
  const sells = orders.sells(order);
  const price = orders.priceTicks(order);
  const isMarket = orders.isMarket(order);
  if (!isMarket && !isInsideBand(market, sells, price)) {
    closeOrder(exchange, order, 'price_outside_band');
    return;
  }
  const worst = isMarket ? bringInsideBand(market, sells, price) : price;
  const isFillOrKill = orders.timeInForce(order) === FILL_OR_KILL;
  if (isMarket || isFillOrKill) {
    const wanted = orders.remainingLots(order);
    const { lots } = walkForStop(exchange, market, order, worst);
    if (isFillOrKill && lots < wanted) {
      closeOrder(exchange, order, 'order_cannot_be_filled_completely');
      return;
    }
    if (lots === 0) {
      closeOrder(exchange, order, 'no_liquidity_within_limits');
      return;
    }
  }
  matchIncoming(exchange, order, worst);
}

function walkForStop(exchange: Exchange, market: Market, order: number, worst: Ticks): Walk {
  const { books, limits } = exchange;
  const { orders } = books;
  return books.walk({
    market: market.id,
    sells: orders.sells(order),
    user: orders.user(order),
    selfTrade: orders.selfTrade(order),
    worstTicks: worst,
    lots: orders.remainingLots(order),
    fillsMax: limits.fillsPerCommandMax,
    ownOrdersMax: limits.ownOrdersPerCommandMax,
  });
}
