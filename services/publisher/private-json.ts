// What a user is told, as the JSON that reaches clients: orders, fills and balances.

import {
  averageText,
  type ListedAsset,
  type ListedMarket,
  type OpenOrder,
  percentText,
  priceText,
  secondsOf,
  sizeText,
} from '../../core/market-data/index.ts';
import { orderIdText, type TradeExecuted } from '../../core/messages/index.ts';
import { type Atoms, decimalFromAtoms, type Lots, type UserId } from '../../core/money/index.ts';
import { timeText } from '../../protocol/index.ts';
import { type Balance, totalAtoms } from './balances.ts';

export type OrderStatus = 'new' | 'pfilled' | 'filled' | 'canceled' | 'triggered';

export interface OrderNews {
  readonly action: 'insert' | 'update';
  readonly status: OrderStatus;
  readonly listed: ListedMarket;
  readonly order: Readonly<OpenOrder>;
  readonly timeMs: number;
}

export function orderMessage(news: OrderNews): string {
  const { action, listed, order, timeMs } = news;
  return (
    `{"topic":"order","action":"${action}","user_id":${order.user},"symbol":"${listed.symbol}"` +
    `,"data":${orderJson(news)},"time":${secondsOf(timeMs)}}`
  );
}

function orderJson({ listed, order, status, timeMs }: OrderNews): string {
  const filledLots = (order.sizeLots - order.remainingLots) as Lots;
  const received = order.side === 'buy' ? listed.base : listed.quote;
  const stop = order.stopTicks > 0 ? priceText(listed, order.stopTicks) : 'null';
  const filled = { lots: filledLots, quoteAtoms: order.filledQuoteAtoms };
  const clientOrderId =
    order.clientOrderId === '' ? '' : `,"client_order_id":${JSON.stringify(order.clientOrderId)}`;
  return (
    `{"id":"${orderIdText(order.order)}","side":"${order.side}","symbol":"${listed.symbol}"` +
    `,"type":"${order.type}","size":${sizeText(listed, order.sizeLots)}` +
    `,"price":${order.type === 'market' ? 'null' : priceText(listed, order.priceTicks)}` +
    `,"stop":${stop},"filled":${sizeText(listed, filledLots)}` +
    `,"average":${averageText(listed, filled)}` +
    `,"fee":${decimalFromAtoms(order.feeAtoms as Atoms, received.scale)}` +
    `,"fee_coin":"${received.symbol}","status":"${status}","meta":${metaJson(order)}` +
    `,"fee_structure":{"maker":${percentText(order.makerFeePpm)}` +
    `,"taker":${percentText(order.takerFeePpm)}}${clientOrderId},"created_by":${order.user}` +
    `,"created_at":"${timeText(order.createdMs)}","updated_at":"${timeText(timeMs)}"}`
  );
}

function metaJson({ note, postOnly }: Readonly<OpenOrder>): string {
  return JSON.stringify({ ...(postOnly && { post_only: true }), ...(note !== '' && { note }) });
}

/** The same trade as its maker or its taker sees it. */
export function fillMessage(
  trade: TradeExecuted,
  side: 'maker' | 'taker',
  { listed, timeMs }: { readonly listed: ListedMarket; readonly timeMs: number },
): string {
  const isTaker = side === 'taker';
  const buys = (trade.takerSide === 'buy') === isTaker;
  const order = isTaker ? trade.takerOrder : trade.makerOrder;
  const feeAtoms = isTaker ? trade.takerFeeAtoms : trade.makerFeeAtoms;
  const received = buys ? listed.base : listed.quote;
  const user = isTaker ? trade.taker : trade.maker;
  return (
    `{"topic":"usertrade","action":"insert","user_id":${user},"symbol":"${listed.symbol}"` +
    `,"data":[{"side":"${buys ? 'buy' : 'sell'}","symbol":"${listed.symbol}"` +
    `,"size":${sizeText(listed, trade.sizeLots)},"price":${priceText(listed, trade.priceTicks)}` +
    `,"timestamp":"${timeText(timeMs)}"` +
    `,"order_id":${order === 0 ? 'null' : `"${orderIdText(order)}"`}` +
    `,"fee":${decimalFromAtoms(feeAtoms, received.scale)},"fee_coin":"${received.symbol}"}]` +
    `,"time":${secondsOf(timeMs)}}`
  );
}

export function walletMessage(
  user: UserId,
  balances: Iterable<readonly [asset: ListedAsset, balance: Readonly<Balance>]>,
  timeMs: number,
): string {
  let data = '';
  for (const [{ scale, symbol }, balance] of balances) {
    data += `"${symbol}_balance":${decimalFromAtoms(totalAtoms(balance), scale)},`;
    data += `"${symbol}_available":`;
    data += `${decimalFromAtoms(balance.availableAtoms as Atoms, scale)},`;
  }
  return (
    `{"topic":"wallet","action":"partial","user_id":${user}` +
    `,"data":{${data}"updated_at":"${timeText(timeMs)}"},"time":${secondsOf(timeMs)}}`
  );
}
