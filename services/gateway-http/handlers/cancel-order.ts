// Cancels an order, by its id or by the client's own.

import type { Routes } from '../../../protocol/index.ts';
import { type Call, JsonText } from '../handler.ts';
import { cancelByClientId, cancelByNumber } from '../orders/cancel-order.ts';
import { orderNumberOf } from '../orders/order-request.ts';
import type { Parts } from '../parts.ts';

export async function cancelOrder(
  { caller, query }: Call<Routes['cancelOrder']>,
  parts: Parts,
): Promise<JsonText> {
  const { client_order_id, order_id } = query;
  const canceled =
    order_id === undefined
      ? cancelByClientId(parts, caller, client_order_id ?? '')
      : cancelByNumber(parts, caller, orderNumberOf(order_id));
  return new JsonText(await canceled);
}
