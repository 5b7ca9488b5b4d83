// Cancels all orders of the caller in one market.

import type { Routes } from '../../../protocol/index.ts';
import { type Call, JsonText } from '../handler.ts';
import { cancelAll } from '../orders/cancel-order.ts';
import type { Parts } from '../parts.ts';
import { requireMarket } from '../require-market.ts';

export async function cancelOrdersOfMarket(
  { caller, query }: Call<Routes['cancelOrdersOfMarket']>,
  parts: Parts,
): Promise<JsonText> {
  const { market } = requireMarket(parts, query.symbol);
  return new JsonText(await cancelAll(parts, caller, market));
}
