// Messages to a user: orders, fills and balances from protocol, in their envelopes.

import {
  type ListedAsset,
  type ListedMarket,
  makerSide,
  type OpenOrder,
  secondsOf,
  takerSide,
} from '../../core/market-data/index.ts';
import type { TradeExecuted } from '../../core/messages/index.ts';
import type { UserId } from '../../core/money/index.ts';
import { balanceFields, fillJson, type OrderStanding, orderJson } from '../../protocol/index.ts';
import type { Balance } from './balances.ts';

export interface OrderUpdate extends OrderStanding {
  readonly action: 'insert' | 'update';
  readonly listed: ListedMarket;
  readonly order: Readonly<OpenOrder>;
}

export function orderMessage(news: OrderUpdate): string {
  const { action, listed, order, updatedMs } = news;
  return (
    `{"topic":"order","action":"${action}","user_id":${order.user},"symbol":"${listed.symbol}"` +
    `,"data":[${orderJson(listed, order, news)}],"time":${secondsOf(updatedMs)}}`
  );
}

/** Returns the trade from the maker's or the taker's view. */
export function fillMessage(
  trade: TradeExecuted,
  side: 'maker' | 'taker',
  { listed, timeMs }: { readonly listed: ListedMarket; readonly timeMs: number },
): string {
  const fill = side === 'taker' ? takerSide(trade) : makerSide(trade);
  const json = fillJson(listed, {
    side: fill.side,
    priceTicks: fill.priceTicks,
    sizeLots: fill.sizeLots,
    order: fill.order,
    feeAtoms: fill.feeAtoms,
    executedMs: timeMs,
  });
  return (
    `{"topic":"usertrade","action":"insert","user_id":${fill.user},"symbol":"${listed.symbol}"` +
    `,"data":[${json}],"time":${secondsOf(timeMs)}}`
  );
}

export function walletMessage(
  user: UserId,
  balances: Iterable<readonly [asset: ListedAsset, balance: Readonly<Balance>]>,
  timeMs: number,
): string {
  return (
    `{"topic":"wallet","action":"partial","user_id":${user}` +
    `,"data":{${balanceFields(balances, timeMs)}},"time":${secondsOf(timeMs)}}`
  );
}
