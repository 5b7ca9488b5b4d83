// An operator places and cancels orders on behalf of users. The command waits in the queue of
// operators' commands; the answer is the order in the tables.

import { randomUUID } from 'node:crypto';
import type { OrderState } from '../../../core/market-data/index.ts';
import type { UserId } from '../../../core/money/index.ts';
import {
  awaitOutcome,
  type Call,
  type Dependencies,
  JsonText,
  requestUuid,
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
    return textOf(
      dependencies,
      await readOrderByClientId(dependencies.projections, { user, clientOrderId }),
    );
  });
}

export async function cancelOrderOfUser(
  call: Call<Routes['cancelOrderOfUser']>,
  dependencies: Dependencies,
) {
  const order = orderNumberOf(call.query.order_id);
  if (order instanceof Refused) return order;
  const payload = { user_id: call.query.user_id, order };
  return answerAct(call, dependencies, cancelOrderAct, payload, async ({ command }) => {
    const done = await awaitOutcome(dependencies, command);
    if (done instanceof Refused) return done;
    return textOf(dependencies, await readOrder(dependencies.projections, order));
  });
}

/** The command waits, or has been applied: without the row nobody knows which. */
function textOf({ catalogue }: Dependencies, order: OrderState | undefined) {
  if (order === undefined) return new Refused('outcome_unknown');
  return new JsonText(orderText(catalogue.now, order));
}
