// Places an order.

import type { Routes } from '../../../protocol/index.ts';
import { type Call, JsonText } from '../handler.ts';
import { placeOrder } from '../orders/place-order.ts';
import type { Parts } from '../parts.ts';

export async function createOrder(
  { body, caller }: Call<Routes['createOrder']>,
  parts: Parts,
): Promise<JsonText> {
  return new JsonText(await placeOrder(parts, caller, body));
}
