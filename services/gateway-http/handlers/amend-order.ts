// Changes the size or the price of an order. The market that tells how to read them follows from
// the order, which is in memory if it was placed here, and otherwise in a row.

import type { OrderState } from '../../../core/market-data/index.ts';
import type { Lots, OrderNumber, Ticks } from '../../../core/money/index.ts';
import type { Routes } from '../../../protocol/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import { type Call, JsonText } from '../handler.ts';
import { marketOf } from '../orders/order-now.ts';
import { orderNumberOf, priceOf, sizeOf } from '../orders/order-request.ts';
import { readOrder } from '../orders/order-rows.ts';
import { tellAmended } from '../orders/whole-orders.ts';
import type { Parts } from '../parts.ts';
import { requireFresh } from '../require-fresh.ts';
import { submitCommand } from '../submit-command.ts';

const KEEP = 0 as Lots & Ticks;

export async function amendOrder(
  { body, caller }: Call<Routes['amendOrder']>,
  parts: Parts,
): Promise<JsonText> {
  const { user } = caller;
  const order = orderNumberOf(body.order_id);
  const before = await findOrder(parts, order);
  if (before?.user !== user) throw new ApiRefusal('order_must_exist');
  const market = marketOf(parts.catalogue.now, before.market);
  const sizeLots = body.size === undefined ? KEEP : sizeOf(market, body.size);
  const priceTicks = body.price === undefined ? KEEP : priceOf(market, body.price);
  // To the engine 0 keeps what is there; a client who says 0 means something else.
  if (body.size !== undefined && sizeLots === 0) throw new ApiRefusal('size_below_minimum');
  if (body.price !== undefined && priceTicks === 0) throw new ApiRefusal('price_below_minimum');
  parts.orders.willBeAmended(order);
  const accepted = await submitCommand(parts, {
    kind: 'AmendOrder',
    user,
    order,
    priceTicks,
    sizeLots,
  });
  return new JsonText(await tellAmended(parts, accepted, before));
}

async function findOrder(parts: Parts, order: OrderNumber): Promise<OrderState | undefined> {
  const known = parts.orders.get(order) ?? (await readOrder(parts.projections, order));
  if (known !== undefined) return known;
  // It may have been placed a moment ago, elsewhere.
  await requireFresh(parts);
  return readOrder(parts.projections, order);
}
