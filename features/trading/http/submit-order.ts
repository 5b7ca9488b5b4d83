// Places one order for a caller and returns it as JSON. A repeated client order ID returns the
// first order, so a client that retries after a timeout cannot trade twice.

import type { OrderState } from '../../../core/market-data/index.ts';
import type { OrderNumber } from '../../../core/money/index.ts';
import {
  acceptedOf,
  type Dependencies,
  requireMarket,
  type Submitted,
} from '../../../platform/http/index.ts';
import type { ErrorKey, OrderIn } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { Caller } from '../../auth/index.ts';
import { bestOrderJson, placedOrderJson, readOrdersAfter } from './order-answers.ts';
import { type NewPlaceOrder, placeOrderOf } from './order-request.ts';

const FIRST_READ_MS = 3_000;

export async function submitOrder(
  dependencies: Dependencies,
  caller: Caller,
  body: OrderIn,
): Promise<string | Refused<ErrorKey>> {
  const market = requireMarket(dependencies, body.symbol);
  if (market instanceof Refused) return market;
  const command = placeOrderOf(body, market, caller);
  if (command instanceof Refused) return command;
  const submitted = await dependencies.commands.submit(command);
  if (submitted.kind === 'refused') {
    const first = await orderSentBefore(dependencies, command, submitted);
    if (first !== undefined) return bestOrderJson(dependencies, first);
  }
  const accepted = acceptedOf(submitted, { symbol: market.symbol });
  return accepted instanceof Refused ? accepted : placedOrderJson(dependencies, accepted);
}

/** Returns the order with the client order ID if the command repeats it. */
async function orderSentBefore(
  dependencies: Dependencies,
  command: NewPlaceOrder,
  submitted: Extract<Submitted, { kind: 'refused' }>,
): Promise<OrderState | undefined> {
  if (submitted.refusal !== 'client_order_id_already_used') return undefined;
  const order = submitted.order as OrderNumber;
  const rows = await readOrdersAfter(dependencies, [order], submitted.frame, FIRST_READ_MS);
  const first = rows.get(order);
  return first !== undefined && isSameOrder(first, command) ? first : undefined;
}

/** Compares every field that affects trading. */
export function isSameOrder(first: OrderState, command: NewPlaceOrder): boolean {
  return (
    first.user === command.user &&
    first.market === command.market &&
    first.side === command.side &&
    first.type === command.type &&
    first.timeInForce === command.timeInForce &&
    first.postOnly === command.postOnly &&
    first.sizeLots === command.sizeLots &&
    first.stopTicks === command.stopTicks &&
    first.trigger === command.trigger &&
    first.linkedOrder === command.linkedOrder &&
    first.expiresMs === command.expiresMs &&
    // The price of a market order is its worst acceptable price, set by the engine.
    (first.type === 'market' || first.priceTicks === command.priceTicks)
  );
}
