// One order of the caller. Somebody else's is answered as one that does not exist.

import type { Routes } from '../../../protocol/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import { type Call, JsonText } from '../handler.ts';
import { orderText } from '../orders/order-now.ts';
import { orderNumberOf } from '../orders/order-request.ts';
import { readOrder, readOrderByClientId } from '../orders/order-rows.ts';
import type { Parts } from '../parts.ts';
import { requireFresh } from '../require-fresh.ts';

export async function getOrder(
  { caller, query }: Call<Routes['getOrder']>,
  parts: Parts,
): Promise<JsonText> {
  const { client_order_id: clientOrderId = '', order_id } = query;
  const { user } = caller;
  const number = order_id === undefined ? undefined : orderNumberOf(order_id);
  await requireFresh(parts);
  const order =
    number === undefined
      ? await readOrderByClientId(parts.projections, { user, clientOrderId })
      : await readOrder(parts.projections, number);
  if (order === undefined || order.user !== user) throw new ApiRefusal('order_must_exist');
  return new JsonText(orderText(parts.catalogue.now, order));
}
