// One deposit or withdrawal by its number, after something was done to it.

import { findRequest, type RequestRow } from '../../../domain/transfers/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { Dependencies } from '../dependencies.ts';

export async function readRequest(
  { exchange, registry }: Dependencies,
  name: { readonly id: number; readonly type: RequestRow['type'] },
): Promise<RequestRow> {
  const found = await findRequest(registry, name, exchange.projectionSchema);
  if (found === undefined) throw new ApiRefusal(notFound(name.type));
  return found;
}

export function notFound(type: RequestRow['type']) {
  return type === 'deposit' ? 'deposit_not_found' : 'withdrawal_not_found';
}
