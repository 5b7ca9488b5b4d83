// An operator places and cancels orders on behalf of users. The command waits in the queue of
// operators' commands; the answer is the order in the tables.

import { randomUUID } from 'node:crypto';
import type { OrderState } from '../../../core/market-data/index.ts';
import type { UserId } from '../../../core/money/index.ts';
import {
  ApiRefusal,
  awaitOutcome,
  type Call,
  type Dependencies,
  JsonText,
  requestUuid,
  requireMarket,
} from '../../../platform/http/index.ts';
import type { Routes } from '../../../protocol/index.ts';
import { cancelOrderAct, placeOrderAct } from '../admin/orders.ts';
import { answerActWithText } from './answer-text.ts';
import { orderText } from './order-now.ts';
import { orderNumberOf, priceOf, sizeOf } from './order-request.ts';
import { readOrder, readOrderByClientId } from './order-rows.ts';

export function placeOrderOfUser(
  call: Call<Routes['placeOrderOfUser']>,
  dependencies: Dependencies,
) {
  const { body, caller, signature } = call;
  const { price, side, size, type } = body;
  const market = requireMarket(dependencies, body.symbol);
  if (type === 'limit' && price === undefined) throw new ApiRefusal('price_missing');
  sizeOf(market, size);
  if (type === 'limit' && price !== undefined) priceOf(market, price);
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
  return answerActWithText(call, dependencies, placeOrderAct, payload, async ({ command }) => {
    await awaitOutcome(dependencies, command);
    const user = body.user_id as UserId;
    return textOf(
      dependencies,
      await readOrderByClientId(dependencies.projections, { user, clientOrderId }),
    );
  });
}

export function cancelOrderOfUser(
  call: Call<Routes['cancelOrderOfUser']>,
  dependencies: Dependencies,
) {
  const order = orderNumberOf(call.query.order_id);
  const payload = { user_id: call.query.user_id, order };
  return answerActWithText(call, dependencies, cancelOrderAct, payload, async ({ command }) => {
    await awaitOutcome(dependencies, command);
    return textOf(dependencies, await readOrder(dependencies.projections, order));
  });
}

/** The command waits, or has been applied: without the row nobody knows which. */
function textOf({ catalogue }: Dependencies, order: OrderState | undefined): JsonText {
  if (order === undefined) throw new ApiRefusal('outcome_unknown');
  return new JsonText(orderText(catalogue.now, order));
}
