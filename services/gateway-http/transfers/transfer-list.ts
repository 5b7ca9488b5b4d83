// Lists of deposits and withdrawals, of one user or of all.

import type { UserId } from '../../../core/money/index.ts';
import {
  countQuery,
  filterValues,
  pageQuery,
  type RequestRow,
  requestOf,
} from '../../../domain/transfers/index.ts';
import type { QueryOf, Routes } from '../../../protocol/index.ts';
import type { Dependencies } from '../dependencies.ts';
import type { JsonText, StreamedAnswer } from '../handler.ts';
import { assetFilter, momentFilter } from '../lists/list-filters.ts';
import { answerList, type ListCall } from '../lists/lists.ts';
import { requireFresh } from '../require-fresh.ts';

const SORT_COLUMNS = {
  id: 'r.id',
  created_at: 'r.created_at',
  updated_at: 'r.updated_at',
  amount: 'r.amount_atoms',
  fee: 'r.fee_atoms',
  currency: 'r.currency',
  status: 'r.state',
  transaction_id: 'r.transaction_id',
};
const NEWEST_FIRST = 'order by r.id desc';

export interface RequestListOptions {
  readonly call: ListCall & { readonly query: QueryOf<Routes['getDeposits']> };
  readonly type: RequestRow['type'];
  /** Of everybody when it is not said. */
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
  const table = type === 'deposit' ? 'deposit_requests' : 'withdrawal_requests';
  const { name, projectionSchema: schema } = dependencies.exchange;
  return answerList(call, {
    pool: dependencies.registry,
    clock: dependencies.clock,
    rows: (order) => pageQuery(table, { schema }).replaceAll(NEWEST_FIRST, order),
    count: countQuery(table),
    values: filterValues({
      user,
      currency: currency?.toLowerCase(),
      transactionId: query.transaction_id,
      address,
      status,
      dismissed,
      rejected,
      processing,
      waiting,
      from: momentFilter(query.start_date) ?? undefined,
      to: momentFilter(query.end_date) ?? undefined,
    }),
    isCountBounded: true,
    sortColumns: SORT_COLUMNS,
    defaultSort: ['r.id'],
    write: (row) => JSON.stringify(write(requestOf(type, row))),
    fileName: `${name}-${type}s`,
  });
}
