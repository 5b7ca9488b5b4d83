// Orders of all users. Order numbers increase with time, so a date range is a number range, which
// excludes partitions and parts of an index; the dates themselves are exact.

import type { Side } from '../../../core/messages/index.ts';
import type { MarketId, OrderNumber, UserId } from '../../../core/money/index.ts';
import { assertPlainName } from '../../../infra/postgres/index.ts';
import { orderSortColumns } from '../../../infra/projections/index.ts';
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
  readonly number?: OrderNumber | undefined;
}

/** Above every number. */
const LAST = '9223372036854775807';

export function ordersOfUsers(filter: OrderFilter, schema: string): OperatorList {
  assertPlainName(schema);
  const { from, isOpen, market, number, side, status, to, user } = filter;
  const values = [user, market, side, status, isOpen ?? opennessOf(status), from, to, number];
  const numbers = numbersOf(schema);
  const matching = `${matchingIn(schema)} and o.number >= ${numbers.from}
    and o.number < ${numbers.to} and ${DATES}`;
  const list = listStatements({
    matching,
    columns: 'o.*',
    table: 'o',
    values,
    lookedUp: userColumns('o.user_id'),
  });
  const isDated = from !== undefined || to !== undefined;
  return {
    ...list,
    ...(isDated && { count: countByMinutes(schema) }),
    sortColumns: orderSortColumns(schema),
    defaultSort: ['o.number'],
  };
}

const DATES = `($6::timestamptz is null or o.created_at >= $6)
  and ($7::timestamptz is null or o.created_at < $7)`;

function matchingIn(schema: string): string {
  return `from ${schema}.orders o where ($1::bigint is null or o.user_id = $1)
    and ($2::bigint is null or o.market_id = $2)
    and ($3::text is null or o.side = $3)
    and ($4::text is null or o.status = $4)
    and ($5::boolean is null or ($5 and o.close_reason is null)
      or (not $5 and o.close_reason is not null))
    and ($8::bigint is null or o.number = $8)`;
}

/** Numbers of the orders between the dates, to the minute. */
function numbersOf(schema: string) {
  const first = (start: string) => `coalesce((select first_command from ${schema}.minutes
    where start >= ${start} order by start limit 1), ${LAST})`;
  const minute = (moment: string) => `date_trunc('minute', ${moment}::timestamptz)`;
  const from = (text: string) => `(case when $6::timestamptz is null then 0 else ${text} end)`;
  const to = (text: string) => `(case when $7::timestamptz is null then ${LAST} else ${text} end)`;
  return {
    from: from(first(minute('$6'))),
    /** Start of the first full minute. */
    wholeFrom: from(first(`${minute('$6')} + interval '1 minute'`)),
    /** After the last full minute. */
    wholeTo: to(first(minute('$7'))),
    to: to(first('$7')),
  };
}

/**
 * Counts the orders of full minutes by their numbers, which an index has; only those of the first
 * and the last minute by their dates.
 */
function countByMinutes(schema: string): string {
  const { from, to, wholeFrom, wholeTo } = numbersOf(schema);
  const part = (first: string, end: string) =>
    `select ${matchingIn(schema)} and o.number >= ${first} and o.number < ${end}`;
  return `select count(*) from (
    (${part(from, `least(${wholeFrom}, ${to})`)} and ${DATES})
    union all (${part(wholeFrom, wholeTo)})
    union all (${part(`greatest(${wholeFrom}, ${wholeTo})`, to)} and ${DATES})
    limit $9) counted`;
}

/** Makes the planner use the index of open orders. */
function opennessOf(status: string | undefined): boolean | undefined {
  return status === undefined ? undefined : status === 'new' || status === 'pfilled';
}
