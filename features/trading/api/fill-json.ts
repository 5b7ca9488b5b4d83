// Encodes a trade from the view of one side, for REST responses and stream messages.

import { type ListedMarket, priceText, sizeText } from '../../../core/market-data/index.ts';
import { orderIdText, type Side } from '../../../core/messages/index.ts';
import {
  type Atoms,
  decimalFromAtoms,
  type Lots,
  type OrderNumber,
  type Ticks,
} from '../../../core/money/index.ts';
import { timeText } from '../../../protocol/wire/index.ts';

/** One side of a trade. */
export interface Fill {
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  /** 0 for a direct trade, which has no orders. */
  readonly order: OrderNumber;
  /** In the asset that this side receives. */
  readonly feeAtoms: Atoms;
  readonly executedMs: number;
}

export function fillJson(listed: ListedMarket, fill: Fill): string {
  const received = fill.side === 'buy' ? listed.base : listed.quote;
  return (
    `{"side":"${fill.side}","symbol":"${listed.symbol}"` +
    `,"size":${sizeText(listed, fill.sizeLots)},"price":${priceText(listed, fill.priceTicks)}` +
    `,"timestamp":"${timeText(fill.executedMs)}"` +
    `,"order_id":${fill.order === 0 ? 'null' : `"${orderIdText(fill.order)}"`}` +
    `,"fee":${decimalFromAtoms(fill.feeAtoms, received.scale)},"fee_coin":"${received.symbol}"}`
  );
}
