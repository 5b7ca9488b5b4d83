// Lists of deposits and withdrawals, of one user or of all.

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

/** Ids grow with time; the list knows which of the two its filter finds by an index. */
export function transferSortColumns([byTime]: readonly string[]): SortColumns {
  return {
    id: byTime,
    created_at: byTime,
    updated_at: { by: 'r.updated_at' },
    amount: { by: '(r.amount_atoms / power(10::numeric, r.scale))', narrowedBy: 'currency' },
    // The fee of a withdrawal may be in another coin.
    fee: { by: `(r.fee_atoms / power(10::numeric, ${FEE_SCALE}))`, narrowedBy: 'currency' },
    currency: { by: 'r.currency' },
    status: { by: 'r.state' },
    transaction_id: { by: 'r.transaction_id' },
  };
}

/** The scale of the fee's coin, as far as the row has one of its own. */
const FEE_SCALE = `coalesce((to_jsonb(r) ->> 'fee_scale')::bigint, r.scale)`;

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
