// Operator handler that places and cancels orders on behalf of users. The command goes through the
// operators' command queue; the response is the order in the tables.

import { randomUUID } from 'node:crypto';
import type { OrderNumber, UserId } from '../../../core/money/index.ts';
import {
  awaitOutcome,
  type Call,
  type Dependencies,
  JsonText,
  requestUuid,
  requireFresh,
  requireMarket,
} from '../../../platform/http/index.ts';
import type { Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct } from '../../approvals/http/index.ts';
import { cancelOrderAct, placeOrderAct } from '../admin/orders.ts';
import { orderText } from './order-answers.ts';
import { orderNumberOf, priceOf, sizeOf } from './order-request.ts';
import { readOrder, readOrderByClientId } from './order-rows.ts';

export async function placeOrderOfUser(
  call: Call<Routes['placeOrderOfUser']>,
  dependencies: Dependencies,
) {
  const { body, caller, signature } = call;
  const { price, side, size, type } = body;
  const market = requireMarket(dependencies, body.symbol);
  if (market instanceof Refused) return market;
  if (type === 'limit' && price === undefined) return new Refused('price_missing');
  const sizeLots = sizeOf(market, size);
  if (sizeLots instanceof Refused) return sizeLots;
  const isPriced = type === 'limit' && price !== undefined;
  const priceTicks = isPriced ? priceOf(market, price) : undefined;
  if (priceTicks instanceof Refused) return priceTicks;
  const clientOrderId = requestUuid(caller, signature) ?? randomUUID();
  const payload = {
    user_id: body.user_id,
    symbol: market.symbol,
    side,
    type,
    size: `${size}`,
    price: type === 'market' ? '' : `${price}`,
    client_order_id: clientOrderId,
  };
  return answerAct(call, dependencies, placeOrderAct, payload, async ({ command }) => {
    const done = await awaitOutcome(dependencies, command);
    if (done instanceof Refused) return done;
    const user = body.user_id as UserId;
    const placed = await readOrderByClientId(dependencies.projections, { user, clientOrderId });
    // The command is queued or applied; without the row it is unknown which.
    if (placed === undefined) return new Refused('outcome_unknown');
    return new JsonText(orderText(dependencies.catalogue.now, placed));
  });
}

export async function cancelOrderOfUser(
  call: Call<Routes['cancelOrderOfUser']>,
  dependencies: Dependencies,
) {
  const order = orderNumberOf(call.query.order_id);
  if (order instanceof Refused) return order;
  const user_id = call.query.user_id ?? (await findOwner(dependencies, order));
  if (user_id instanceof Refused) return user_id;
  const payload = { user_id, order };
  return answerAct(call, dependencies, cancelOrderAct, payload, async ({ command }) => {
    const done = await awaitOutcome(dependencies, command);
    if (done instanceof Refused) return done;
    const canceled = await readOrder(dependencies.projections, order);
    if (canceled === undefined) return new Refused('outcome_unknown');
    const text = orderText(dependencies.catalogue.now, canceled);
    return new JsonText(`{"message":"Success",${text.slice(1)}`);
  });
}

async function findOwner(dependencies: Dependencies, order: OrderNumber) {
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  const found = await readOrder(dependencies.projections, order);
  return found?.user ?? new Refused('order_must_exist');
}
