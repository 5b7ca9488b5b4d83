// Cancels all orders of the caller, wherever they are.

import type { Routes } from '../../../protocol/index.ts';
import { type Call, JsonText } from '../handler.ts';
import { cancelAll } from '../orders/cancel-order.ts';
import type { Parts } from '../parts.ts';

export async function cancelAllOrders(
  { caller }: Call<Routes['cancelAllOrders']>,
  parts: Parts,
): Promise<JsonText> {
  return new JsonText(await cancelAll(parts, caller, 0));
}
