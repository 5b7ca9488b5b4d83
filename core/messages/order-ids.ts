// The public ids of orders: version 8 UUIDs that sort like their numbers. Format:
// nnnnnnnn-nnnn-81nn-8000-000000000000, where n is the number in 56 bits, high digits first. Every
// number has exactly one text, in lower case.

import type { OrderNumber } from '../money/index.ts';

const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-81[0-9a-f]{2}-8000-000000000000$/;

export function orderIdText(order: OrderNumber): string {
  const digits = order.toString(16).padStart(14, '0');
  const [high, middle, low] = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12)];
  return `${high}-${middle}-81${low}-8000-000000000000`;
}

/** The order number of an id; undefined for any text that orderIdText does not write. */
export function parseOrderId(text: string): OrderNumber | undefined {
  if (!SHAPE.test(text)) return undefined;
  const number = Number(`0x${text.slice(0, 8)}${text.slice(9, 13)}${text.slice(16, 18)}`);
  const isOrder = number >= 1 && number <= Number.MAX_SAFE_INTEGER;
  return isOrder ? (number as OrderNumber) : undefined;
}
