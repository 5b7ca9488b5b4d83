// A trade: itself, its two sides, what it filled of two orders, and its part of the candles.

import { foldOrderEvent, marketTradeOf } from '../../../core/market-data/index.ts';
import type { TradeExecuted } from '../../../core/messages/index.ts';
import type { TimeMs } from '../../../core/money/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';
import { addFills, addTrade } from '../trade-rows.ts';

export function tradeExecuted(event: TradeExecuted, batch: Batch, place: Place): void {
  addTrade(batch.trades, event, place);
  addFills(batch.fills, event, place);
  foldOrderEvent(event, place, batch.orders);
  const trade = marketTradeOf(event, place.timeMs as TimeMs);
  // A direct trade is no part of the market.
  if (trade !== undefined) batch.candles.add(trade);
}
