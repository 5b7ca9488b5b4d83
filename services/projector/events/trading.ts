// Projects orders and trades.

import { foldOrderEvent, marketTradeOf } from '../../../core/market-data/index.ts';
import type { Event, TradeExecuted } from '../../../core/messages/index.ts';
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
  OrderClosed: foldOrder,
  TradeExecuted: projectTrade,
};

function foldOrder(event: Event, changes: TableChanges, position: EventPosition): void {
  foldOrderEvent(event, position, changes.orders);
}

/** A trade is one row, two fills, changes of two orders, and a part of the market's candles. */
function projectTrade(event: TradeExecuted, changes: TableChanges, position: EventPosition): void {
  addTrade(changes.trades, event, position);
  addFills(changes.fills, event, position);
  foldOrderEvent(event, position, changes.orders);
  const trade = marketTradeOf(event, position.timeMs as TimeMs);
  // Direct trades do not count as trades of the market.
  if (trade !== undefined) changes.candles.add(trade);
}
