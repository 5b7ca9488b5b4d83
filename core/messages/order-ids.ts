// The public ids of orders and trades: version 8 UUIDs that sort like their numbers. Format:
// nnnnnnnn-nnnn-8knn-8000-000000000000, where n is the number in 56 bits, high digits first, and
// k is 1 for an order and 2 for a trade. Every number has exactly one text, in lower case.

import type { OrderNumber, TradeNumber } from '../money/index.ts';

const ORDER_KIND = '1';
const TRADE_KIND = '2';
const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-8[12][0-9a-f]{2}-8000-000000000000$/;
const KIND_POSITION = 15;

export function orderIdText(order: OrderNumber): string {
  return idText(order, ORDER_KIND);
}

export function tradeIdText(trade: TradeNumber): string {
  return idText(trade, TRADE_KIND);
}

/** The order number of an id; undefined for any text that orderIdText does not write. */
export function parseOrderId(text: string): OrderNumber | undefined {
  return parseId(text, ORDER_KIND) as OrderNumber | undefined;
}

export function parseTradeId(text: string): TradeNumber | undefined {
  return parseId(text, TRADE_KIND) as TradeNumber | undefined;
}

function idText(number: number, kind: string): string {
  const digits = number.toString(16).padStart(14, '0');
  const [high, middle, low] = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12)];
  return `${high}-${middle}-8${kind}${low}-8000-000000000000`;
}

function parseId(text: string, kind: string): number | undefined {
  if (!SHAPE.test(text) || text[KIND_POSITION] !== kind) return undefined;
  const number = Number(`0x${text.slice(0, 8)}${text.slice(9, 13)}${text.slice(16, 18)}`);
  return number >= 1 && number <= Number.MAX_SAFE_INTEGER ? number : undefined;
}
