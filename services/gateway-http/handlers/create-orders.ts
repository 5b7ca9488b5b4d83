// Places several orders, each by a command of its own.

import type { Routes } from '../../../protocol/index.ts';
import type { Call, JsonText } from '../handler.ts';
import { outcomesOf } from '../orders/order-outcomes.ts';
import { placeOrder } from '../orders/place-order.ts';
import type { Parts } from '../parts.ts';

export async function createOrders(
  { body, caller, charge }: Call<Routes['createOrders']>,
  parts: Parts,
): Promise<JsonText> {
  // The first is paid for by the route's own weight.
  charge(body.orders.length - 1);
  return outcomesOf(parts, caller, body.orders, (order) => placeOrder(parts, caller, order));
}
