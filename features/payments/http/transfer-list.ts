// Lists of deposits and withdrawals for one user or all.

import type { UserId } from '../../../core/money/index.ts';
import type { SortColumns } from '../../../infra/projections/index.ts';
import {
  answerList,
  assetFilter,
  type Dependencies,
  type ListCall,
  momentFilter,
  requireFresh,
} from '../../../platform/http/index.ts';
import type { QueryOf, Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type RequestRow, type RequestType, requestList, requestOf } from '../request-lists.ts';

/**
 * IDs increase with time; the list determines which of the two columns has an index for its filter.
 */
export function transferSortColumns([byTime]: readonly string[]): SortColumns {
  return {
    id: byTime,
    created_at: byTime,
    updated_at: { by: 'r.updated_at' },
    amount: { by: '(r.amount_atoms / power(10::numeric, r.scale))', narrowedBy: 'currency' },
    // The fee of a withdrawal can be in another coin.
    fee: { by: `(r.fee_atoms / power(10::numeric, ${FEE_SCALE}))`, narrowedBy: 'currency' },
    currency: { by: 'r.currency' },
    status: { by: 'r.state' },
    transaction_id: { by: 'r.transaction_id' },
  };
}

/** Scale of the fee's coin, if the row has its own. */
const FEE_SCALE = `coalesce((to_jsonb(r) ->> 'fee_scale')::bigint, r.scale)`;

/** Operators can also filter by ID and description. */
type TransferQuery = QueryOf<Routes['getDeposits']> & {
  readonly description?: string;
  readonly id?: number;
};

export interface RequestListOptions {
  readonly call: ListCall & { readonly query: TransferQuery };
  readonly type: RequestType;
  /** Undefined for all users. */
  readonly user: UserId | undefined;
  write(row: RequestRow): unknown;
}

export async function answerRequests(
  dependencies: Dependencies,
  { call, type, user, write }: RequestListOptions,
) {
  const { query } = call;
  const { address, currency, dismissed, processing, rejected, status, waiting } = query;
  const asset = assetFilter(dependencies, currency);
  if (asset instanceof Refused) return asset;
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
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
    id: query.id,
    description: query.description,
    from: momentFilter(query.start_date) ?? undefined,
    to: momentFilter(query.end_date) ?? undefined,
  };
  const list = requestList(type, filter, projectionSchema);
  return answerList(call, {
    ...list,
    pool: dependencies.registry,
    clock: dependencies.clock,
    sortColumns: transferSortColumns(list.defaultSort),
    write: (row) => JSON.stringify(write(requestOf(type, row))),
    fileName: `${name}-${type}s`,
  });
}
