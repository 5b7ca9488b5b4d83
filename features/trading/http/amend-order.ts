// Amends the size, the price or the stop price of an order. The order determines the market whose
// increments apply; it is in memory if it was placed here, else in a row.

import type { OrderState } from '../../../core/market-data/index.ts';
import type { Lots, OrderNumber, Ticks } from '../../../core/money/index.ts';
import {
  type Call,
  type Dependencies,
  JsonText,
  requireFresh,
  submitCommand,
} from '../../../platform/http/index.ts';
import type { Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { amendedOrderJson, marketOf } from './order-answers.ts';
import { orderNumberOf, priceOf, sizeOf, stopOf } from './order-request.ts';
import { readOrder } from './order-rows.ts';

const KEEP = 0 as Lots & Ticks;

export async function amendOrder(
  { body, caller }: Call<Routes['amendOrder']>,
  dependencies: Dependencies,
) {
  const { user } = caller;
  const order = orderNumberOf(body.order_id);
  if (order instanceof Refused) return order;
  const before = await findOrder(dependencies, order);
  if (before instanceof Refused) return before;
  if (before?.user !== user) return new Refused('order_must_exist');
  const market = marketOf(dependencies.catalogue.now, before.market);
  const sizeLots = body.size === undefined ? KEEP : sizeOf(market, body.size);
  if (sizeLots instanceof Refused) return sizeLots;
  const priceTicks = body.price === undefined ? KEEP : priceOf(market, body.price);
  if (priceTicks instanceof Refused) return priceTicks;
  const stopTicks = stopOf(market, body.stop);
  if (stopTicks instanceof Refused) return stopTicks;
  // For the engine 0 means unchanged; a client that sends 0 means zero.
  if (body.size !== undefined && sizeLots === 0) return new Refused('size_below_minimum');
  if (body.price !== undefined && priceTicks === 0) return new Refused('price_below_minimum');
  dependencies.orders.willBeAmended(order);
  const accepted = await submitCommand(dependencies, {
    kind: 'AmendOrder',
    user,
    order,
    priceTicks,
    sizeLots,
    stopTicks,
  });
  if (accepted instanceof Refused) return accepted;
  return new JsonText(await amendedOrderJson(dependencies, accepted, before));
}

async function findOrder(
  dependencies: Dependencies,
  order: OrderNumber,
): Promise<OrderState | Refused<'tables_behind'> | undefined> {
  const known =
    dependencies.orders.get(order) ?? (await readOrder(dependencies.projections, order));
  if (known !== undefined) return known;
  // Another gateway might have placed it a moment ago.
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  return readOrder(dependencies.projections, order);
}
