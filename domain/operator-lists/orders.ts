// Orders of all users. Order numbers grow with time, so a range of dates is a range of numbers,
// which excludes partitions and parts of an index; the dates themselves are exact.

import type { Side } from '../../core/messages/index.ts';
import type { MarketId, UserId } from '../../core/money/index.ts';
import { assertPlainName } from '../../infra/postgres/index.ts';
import {
  type DateRange,
  listStatements,
  type OperatorList,
  userColumns,
} from './list-statement.ts';

export interface OrderFilter extends DateRange {
  readonly user?: UserId | undefined;
  readonly market?: MarketId | undefined;
  readonly side?: Side | undefined;
  readonly status?: string | undefined;
  readonly isOpen?: boolean | undefined;
}

const INDEXED = { id: 'o.number', created_at: 'o.number' };
/** One user's orders are few enough to sort. */
const OF_ONE_USER = {
  ...INDEXED,
  updated_at: 'o.updated_at',
  symbol: 'o.market_id',
  side: 'o.side',
  type: 'o.type',
  status: 'o.status',
  size: 'o.size_lots',
  filled: 'o.filled_lots',
  price: 'o.price_ticks',
  fee: 'o.fee_atoms',
};

export function ordersOfUsers(filter: OrderFilter, schema: string): OperatorList {
  assertPlainName(schema);
  const { from, isOpen, market, side, status, to, user } = filter;
  const firstOrder = (start: string) => `coalesce((select first_command from ${schema}.minutes
    where start >= ${start} order by start limit 1), 9223372036854775807)`;
  const matching = `
    from ${schema}.orders o where ($1::bigint is null or o.user_id = $1)
    and ($2::bigint is null or o.market_id = $2)
    and ($3::text is null or o.side = $3)
    and ($4::text is null or o.status = $4)
    and ($5::boolean is null or ($5 and o.close_reason is null)
      or (not $5 and o.close_reason is not null))
    and ($6::timestamptz is null or (o.created_at >= $6
      and o.number >= ${firstOrder(`date_trunc('minute', $6::timestamptz)`)}))
    and ($7::timestamptz is null or (o.created_at < $7 and o.number < ${firstOrder('$7')}))`;
  return {
    ...listStatements({
      matching,
      columns: 'o.*',
      table: 'o',
      values: [user, market, side, status, isOpen ?? opennessOf(status), from, to],
      lookedUp: userColumns('o.user_id'),
    }),
    sortColumns: user === undefined ? INDEXED : OF_ONE_USER,
    defaultSort: ['o.number'],
  };
}

/** Leads to the index of open orders. */
function opennessOf(status: string | undefined): boolean | undefined {
  return status === undefined ? undefined : status === 'new' || status === 'pfilled';
}
