// Checks an order without placing it: the engine runs all checks of an order on its present state
// and answers with the first refusal. Nothing changes, so that no outcome is ever unknown.

import {
  ApiRefusal,
  acceptedOf,
  type Call,
  type Dependencies,
  requireMarket,
} from '../../../platform/http/index.ts';
import type { Routes } from '../../../protocol/index.ts';
import { placeOrderOf } from './order-request.ts';

const RETRY_AFTER_S = 1;

export async function testOrder(
  { body, caller }: Call<Routes['testOrder']>,
  dependencies: Dependencies,
): Promise<{ message: string }> {
  const market = requireMarket(dependencies, body.symbol);
  const order = placeOrderOf(body, market, caller);
  const submitted = await dependencies.commands.submit({ ...order, kind: 'CheckOrder' });
  if (submitted.kind === 'unknown') throw new ApiRefusal('exchange_busy', {}, RETRY_AFTER_S);
  acceptedOf(submitted, { symbol: market.symbol });
  return { message: 'The order would be accepted' };
}
