// Cancels several orders, each by a command of its own.

import type { Routes } from '../../../protocol/index.ts';
import type { Call, JsonText } from '../handler.ts';
import { cancelByNumber } from '../orders/cancel-order.ts';
import { outcomesOf } from '../orders/order-outcomes.ts';
import { orderNumberOf } from '../orders/order-request.ts';
import type { Parts } from '../parts.ts';

export async function cancelOrders(
  { caller, charge, query }: Call<Routes['cancelOrders']>,
  parts: Parts,
): Promise<JsonText> {
  // The first is paid for by the route's own weight.
  charge(query.order_ids.length - 1);
  return outcomesOf(parts, caller, query.order_ids, async (id) =>
    cancelByNumber(parts, caller, orderNumberOf(id)),
  );
}
