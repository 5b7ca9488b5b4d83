// Encodes an order as JSON, for REST responses and stream messages alike. Decimals are written from
// integers, never through a float.

import {
  averageText,
  type ListedMarket,
  type OpenOrder,
  percentText,
  priceText,
  sizeText,
} from '../../../core/market-data/index.ts';
import { type CloseReason, orderIdText } from '../../../core/messages/index.ts';
import { type Atoms, decimalFromAtoms, type Lots } from '../../../core/money/index.ts';
import { timeText } from '../../../protocol/wire/index.ts';
import type { OrderStatus } from './order.ts';

/** The order's parameters and fills, in integers. */
export type OrderFacts = Readonly<Omit<OpenOrder, 'market' | 'isWaiting' | 'quick'>>;

export interface OrderStanding {
  readonly status: OrderStatus;
  /** Undefined while the order is open. */
  readonly closeReason?: CloseReason | undefined;
  readonly updatedMs: number;
}

/** A market order has no price; it is written as 0, which clients read as none. */
export function orderJson(listed: ListedMarket, order: OrderFacts, now: OrderStanding): string {
  const filledLots = (order.sizeLots - order.remainingLots) as Lots;
  const filled = { lots: filledLots, quoteAtoms: order.filledQuoteAtoms };
  const received = order.side === 'buy' ? listed.base : listed.quote;
  return (
    `{"id":"${orderIdText(order.order)}","side":"${order.side}","symbol":"${listed.symbol}"` +
    `,"type":"${order.type}","size":${sizeText(listed, order.sizeLots)}` +
    `,"price":${order.type === 'market' ? '0' : priceText(listed, order.priceTicks)}` +
    `,"stop":${order.stopTicks > 0 ? priceText(listed, order.stopTicks) : 'null'}` +
    `,"filled":${sizeText(listed, filledLots)},"average":${averageText(listed, filled)}` +
    `,"fee":${decimalFromAtoms(order.feeAtoms as Atoms, received.scale)}` +
    `,"fee_coin":"${received.symbol}","status":"${now.status}","meta":${metaJson(order)}` +
    `,"fee_structure":{"maker":${percentText(order.makerFeePpm)}` +
    `,"taker":${percentText(order.takerFeePpm)}}${extrasJson(order, now)}` +
    `,"created_by":${order.user},"created_at":"${timeText(order.createdMs)}"` +
    `,"updated_at":"${timeText(now.updatedMs)}"}`
  );
}

function metaJson({ note, postOnly }: OrderFacts): string {
  return JSON.stringify({ ...(postOnly && { post_only: true }), ...(note !== '' && { note }) });
}

/** Rare fields and defaults are omitted. */
function extrasJson(order: OrderFacts, now: OrderStanding): string {
  const { clientOrderId, selfTrade, timeInForce, trigger, type } = order;
  const usual = type === 'market' ? 'IOC' : 'GTC';
  return (
    (type === 'market' ? ',"method":"market"' : '') +
    (clientOrderId === '' ? '' : `,"client_order_id":${JSON.stringify(clientOrderId)}`) +
    (trigger === 'stop' ? '' : `,"trigger":"${trigger}"`) +
    (order.expiresMs === 0 ? '' : `,"expires_at":"${timeText(order.expiresMs)}"`) +
    (order.linkedOrder === 0 ? '' : `,"linked_order_id":"${orderIdText(order.linkedOrder)}"`) +
    (timeInForce === usual ? '' : `,"time_in_force":"${timeInForce}"`) +
    (selfTrade === 'cancel_newest' ? '' : `,"self_trade_prevention":"${selfTrade}"`) +
    (now.closeReason === undefined ? '' : `,"close_reason":"${now.closeReason}"`)
  );
}
