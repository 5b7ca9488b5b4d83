// The id of the one request that names a transaction.

import { findRequestIds, type RequestType } from '../../../domain/transfers/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { Dependencies } from '../dependencies.ts';
import { notFound } from './read-request.ts';

export async function findRequestId(
  { registry }: Dependencies,
  { transactionId, type }: { readonly type: RequestType; readonly transactionId: string },
): Promise<number> {
  const ids = await findRequestIds(registry, type, transactionId);
  if (ids.length === 0) throw new ApiRefusal(notFound(type));
  if (ids.length > 1) throw new ApiRefusal('transaction_id_ambiguous');
  return ids[0];
}
