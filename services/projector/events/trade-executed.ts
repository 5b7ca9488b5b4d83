// A trade: itself, its two sides, what it filled of two orders, and its part of the candles.

import { marketTradeOf } from '../../../core/market-data/index.ts';
import type { TradeExecuted } from '../../../core/messages/index.ts';
import type { TimeMs } from '../../../core/money/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';
import { addFills, addTrade } from '../trade-rows.ts';

export function tradeExecuted(event: TradeExecuted, batch: Batch, place: Place): void {
  addTrade(batch.trades, event, place);
  addFills(batch.fills, event, place);
  const trade = marketTradeOf(event, place.timeMs as TimeMs);
  // A direct trade has no orders, and is no part of the market.
  if (trade === undefined) return;
  batch.candles.add(trade);
  const { makerFeeAtoms, quoteAtoms, sizeLots, takerFeeAtoms } = event;
  const maker = { sizeLots, quoteAtoms, feeAtoms: makerFeeAtoms };
  const taker = { sizeLots, quoteAtoms, feeAtoms: takerFeeAtoms };
  batch.orders.fill(event.makerOrder, maker, place);
  batch.orders.fill(event.takerOrder, taker, place);
}
