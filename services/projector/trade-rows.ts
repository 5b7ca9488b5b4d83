// Rows for trades and their two fills. They are written once and must never change.

import { makerSide, type TradeSide, takerSide } from '../../core/market-data/index.ts';
import type { TradeExecuted } from '../../core/messages/index.ts';
import { CopyRows } from '../../infra/postgres/index.ts';
import type { EventPosition } from './event-position.ts';

const TRADE_COLUMNS = [
  'number',
  'market_id',
  'base_id',
  'quote_id',
  'taker_side',
  'price_ticks',
  'size_lots',
  'maker_order',
  'taker_order',
  'maker_id',
  'taker_id',
  'base_atoms',
  'quote_atoms',
  'maker_fee_atoms',
  'taker_fee_atoms',
  'house',
  'quick',
  'command',
  'frame',
  'executed_at',
];

const FILL_COLUMNS = [
  'user_id',
  'trade',
  'liquidity',
  'market_id',
  'side',
  'price_ticks',
  'size_lots',
  'quote_atoms',
  'order_number',
  'fee_asset_id',
  'fee_atoms',
  'quick',
  'executed_at',
];

export function tradeRows(): CopyRows {
  return new CopyRows('trades', TRADE_COLUMNS);
}

export function fillRows(): CopyRows {
  return new CopyRows('fills', FILL_COLUMNS);
}

export function addTrade(
  rows: CopyRows,
  trade: TradeExecuted,
  { frame, timeMs }: EventPosition,
): void {
  rows.row().integer(trade.trade).integer(trade.market).integer(trade.base).integer(trade.quote);
  rows.text(trade.takerSide).integer(trade.priceTicks).integer(trade.sizeLots);
  rows.integer(trade.makerOrder).integer(trade.takerOrder);
  rows.integer(trade.maker).integer(trade.taker).bigint(trade.baseAtoms).bigint(trade.quoteAtoms);
  rows.bigint(trade.makerFeeAtoms).bigint(trade.takerFeeAtoms);
  rows.boolean(trade.house).boolean(trade.quick).integer(trade.command).integer(frame);
  rows.time(timeMs);
}

export function addFills(rows: CopyRows, trade: TradeExecuted, { timeMs }: EventPosition): void {
  addFill(rows, trade, { liquidity: 'maker', fill: makerSide(trade), timeMs });
  addFill(rows, trade, { liquidity: 'taker', fill: takerSide(trade), timeMs });
}

function addFill(
  rows: CopyRows,
  trade: TradeExecuted,
  { fill, liquidity, timeMs }: { liquidity: 'maker' | 'taker'; fill: TradeSide; timeMs: number },
): void {
  rows.row().integer(fill.user).integer(trade.trade).text(liquidity);
  rows.integer(trade.market).text(fill.side);
  rows.integer(fill.priceTicks).integer(fill.sizeLots).bigint(fill.quoteAtoms);
  rows.integer(fill.order);
  rows.integer(fill.side === 'buy' ? trade.base : trade.quote);
  rows.bigint(fill.feeAtoms);
  rows.boolean(trade.quick).time(timeMs);
}
