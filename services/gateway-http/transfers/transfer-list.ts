// Lists of deposits and withdrawals, of one user or of all.

import type { UserId } from '../../../core/money/index.ts';
import {
  type RequestRow,
  type RequestType,
  requestList,
  requestOf,
} from '../../../domain/transfers/index.ts';
import type { QueryOf, Routes } from '../../../protocol/index.ts';
import type { Dependencies } from '../dependencies.ts';
import type { JsonText, StreamedAnswer } from '../handler.ts';
import { assetFilter, momentFilter } from '../lists/list-filters.ts';
import { answerList, type ListCall } from '../lists/lists.ts';
import { requireFresh } from '../preconditions.ts';

export const SORT_COLUMNS = {
  id: 'r.id',
  created_at: 'r.created_at',
  updated_at: 'r.updated_at',
  amount: 'r.amount_atoms',
  fee: 'r.fee_atoms',
  currency: 'r.currency',
  status: 'r.state',
  transaction_id: 'r.transaction_id',
};

/** Operators also filter by description. */
type TransferQuery = QueryOf<Routes['getDeposits']> & { readonly description?: string };

export interface RequestListOptions {
  readonly call: ListCall & { readonly query: TransferQuery };
  readonly type: RequestType;
  /** Undefined: of all users. */
  readonly user: UserId | undefined;
  write(row: RequestRow): unknown;
}

export async function answerRequests(
  dependencies: Dependencies,
  { call, type, user, write }: RequestListOptions,
): Promise<JsonText | StreamedAnswer> {
  const { query } = call;
  const { address, currency, dismissed, processing, rejected, status, waiting } = query;
  assetFilter(dependencies, currency);
  await requireFresh(dependencies);
  const { name, projectionSchema } = dependencies.exchange;
  const filter = {
    user,
    currency: currency?.toLowerCase(),
    transactionId: query.transaction_id,
    address,
    status,
    dismissed,
    rejected,
    processing,
    waiting,
    description: query.description,
    from: momentFilter(query.start_date) ?? undefined,
    to: momentFilter(query.end_date) ?? undefined,
  };
  return answerList(call, {
    ...requestList(type, filter, projectionSchema),
    pool: dependencies.registry,
    clock: dependencies.clock,
    sortColumns: SORT_COLUMNS,
    write: (row) => JSON.stringify(write(requestOf(type, row))),
    fileName: `${name}-${type}s`,
  });
}
