// Projects orders and trades.

import { foldOrderEvent, marketTradeOf } from '../../../core/market-data/index.ts';
import type { Event, OrderClosed, TradeExecuted } from '../../../core/messages/index.ts';
import type { TimeMs } from '../../../core/money/index.ts';
import type { EventPosition } from '../event-position.ts';
import { addFills, addTrade } from '../trade-rows.ts';
import type { EventHandlers, TableChanges } from './event-handler.ts';

export const tradingHandlers: EventHandlers<
  'OrderPlaced' | 'OrderTriggered' | 'OrderAmended' | 'OrderClosed' | 'TradeExecuted'
> = {
  OrderPlaced: foldOrder,
  OrderTriggered: foldOrder,
  OrderAmended: foldOrder,
  OrderClosed: closeOrder,
  TradeExecuted: projectTrade,
};

function foldOrder(event: Event, changes: TableChanges, position: EventPosition): void {
  foldOrderEvent(event, position, changes.orders);
}

/** Orders closed by a safeguard are also listed by time. */
function closeOrder(event: OrderClosed, changes: TableChanges, position: EventPosition): void {
  foldOrder(event, changes, position);
  const { market, order, reason, user } = event;
  if (reason !== 'self_trade_prevented' && reason !== 'price_outside_band') return;
  const { preventedOrders } = changes;
  preventedOrders.row().integer(order).integer(user).integer(market);
  preventedOrders.text(reason).time(position.timeMs);
}

/** A trade is one row, two fills, changes to two orders, and a part of the market's candles. */
function projectTrade(event: TradeExecuted, changes: TableChanges, position: EventPosition): void {
  addTrade(changes.trades, event, position);
  addFills(changes.fills, event, position);
  foldOrderEvent(event, position, changes.orders);
  const trade = marketTradeOf(event, position.timeMs as TimeMs);
  // Direct trades do not count as market trades.
  if (trade !== undefined) changes.candles.add(trade);
}
