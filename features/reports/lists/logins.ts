// Logins and failed attempts of all users, and attempts for addresses without an account.

import type { UserId } from '../../../core/money/index.ts';
import { type DateRange, listStatements, type OperatorList } from './list-statement.ts';

export interface LoginsFilter extends DateRange {
  readonly user?: UserId | undefined;
  /** Only successful ones, or only failed ones. */
  readonly status?: boolean | undefined;
  /** Two letters. */
  readonly country?: string | undefined;
  readonly ip?: string | undefined;
}

export function loginsOfUsers(filter: LoginsFilter): OperatorList {
  const { country, from, ip, status, to, user } = filter;
  const matching = `
    from logins l where ($1::bigint is null or l.user_id = $1)
    and ($2::boolean is null or (l.outcome = 'success') = $2)
    and ($3::text is null or l.country = $3)
    and ($4::text is null or l.ip = $4)
    and ($5::timestamptz is null or l.created_at >= $5)
    and ($6::timestamptz is null or l.created_at < $6)`;
  const values = [user, status, country, ip, from, to];
  return {
    ...listStatements({ matching, columns: 'l.*', table: 'l', values }),
    sortColumns: {
      id: 'l.created_at',
      created_at: 'l.created_at',
      timestamp: 'l.created_at',
      user_id: { by: 'l.user_id' },
      ip: { by: 'l.ip' },
    },
    // A user has few; across all users, partitions are read in order of time.
    defaultSort: user === undefined ? ['l.created_at', 'l.id'] : ['l.id'],
  };
}
