// The number of the one request that has a transaction id.

import {
  listDepositRequests,
  listWithdrawalRequests,
  type RequestRow,
} from '../../../domain/transfers/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { Dependencies } from '../dependencies.ts';
import { notFound } from './read-request.ts';

export async function findRequestId(
  { exchange, registry }: Dependencies,
  { transactionId, type }: { readonly type: RequestRow['type']; readonly transactionId: string },
): Promise<number> {
  const list = type === 'deposit' ? listDepositRequests : listWithdrawalRequests;
  const { projectionSchema } = exchange;
  const { rows } = await list(registry, { transactionId, limit: 2, offset: 0, projectionSchema });
  if (rows.length === 0) throw new ApiRefusal(notFound(type));
  if (rows.length > 1) throw new ApiRefusal('transaction_id_ambiguous');
  return rows[0].id;
}
