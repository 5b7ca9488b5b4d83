// Encodes a trade with both sides, for operators. Each side pays its fee in the asset it receives.

import { type ListedMarket, priceText, sizeText } from '../../../core/market-data/index.ts';
import { orderIdText, type Side } from '../../../core/messages/index.ts';
import {
  type Atoms,
  decimalFromAtoms,
  type Lots,
  type OrderNumber,
  type Ticks,
  type UserId,
} from '../../../core/money/index.ts';
import { timeText } from '../../../protocol/wire/index.ts';

export interface TradeFacts {
  readonly takerSide: Side;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  /** 0 for both in a direct trade. */
  readonly makerOrder: OrderNumber;
  readonly takerOrder: OrderNumber;
  readonly maker: UserId;
  readonly taker: UserId;
  readonly makerFeeAtoms: Atoms;
  readonly takerFeeAtoms: Atoms;
  readonly isQuick: boolean;
  readonly executedMs: number;
}

export function operatorTradeJson(listed: ListedMarket, trade: TradeFacts): string {
  const { base, quote } = listed;
  const [takerGets, makerGets] = trade.takerSide === 'buy' ? [base, quote] : [quote, base];
  return (
    `{"side":"${trade.takerSide}","symbol":"${listed.symbol}"` +
    `,"size":${sizeText(listed, trade.sizeLots)},"price":${priceText(listed, trade.priceTicks)}` +
    `,"timestamp":"${timeText(trade.executedMs)}"` +
    `,"maker_order_id":${orderIdOrNull(trade.makerOrder)}` +
    `,"taker_order_id":${orderIdOrNull(trade.takerOrder)}` +
    `,"maker_fee":${decimalFromAtoms(trade.makerFeeAtoms, makerGets.scale)}` +
    `,"taker_fee":${decimalFromAtoms(trade.takerFeeAtoms, takerGets.scale)}` +
    `,"maker_fee_coin":"${makerGets.symbol}","taker_fee_coin":"${takerGets.symbol}"` +
    `,"quick":${trade.isQuick},"maker_id":${trade.maker},"taker_id":${trade.taker}` +
    `,"maker_network_id":${trade.maker},"taker_network_id":${trade.taker}}`
  );
}

function orderIdOrNull(order: OrderNumber): string {
  return order === 0 ? 'null' : `"${orderIdText(order)}"`;
}
