// Checks an order without placing it: the engine runs all checks on its current state and returns
// the first rejection. Nothing changes, so the outcome is never unknown.

import {
  acceptedOf,
  type Call,
  type Dependencies,
  requireMarket,
} from '../../../platform/http/index.ts';
import type { Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { placeOrderOf } from './order-request.ts';

const RETRY_AFTER_S = 1;

export async function testOrder(
  { body, caller }: Call<Routes['testOrder']>,
  dependencies: Dependencies,
) {
  const market = requireMarket(dependencies, body.symbol);
  if (market instanceof Refused) return market;
  const order = placeOrderOf(body, market, caller);
  if (order instanceof Refused) return order;
  const submitted = await dependencies.commands.submit({ ...order, kind: 'CheckOrder' });
  if (submitted.kind === 'unknown') return new Refused('exchange_busy', {}, RETRY_AFTER_S);
  const accepted = acceptedOf(submitted, { symbol: market.symbol });
  if (accepted instanceof Refused) return accepted;
  return { message: 'The order would be accepted' };
}
