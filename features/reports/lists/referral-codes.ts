// Referral codes of all users.

import type { UserId } from '../../../core/money/index.ts';
import { type DateRange, listStatements, type OperatorList } from './list-statement.ts';

export interface ReferralCodeFilter extends DateRange {
  readonly user?: UserId | undefined;
}

export function referralCodesOfUsers({ from, to, user }: ReferralCodeFilter): OperatorList {
  const matching = `
    from referral_codes c where ($1::bigint is null or c.user_id = $1)
    and ($2::timestamptz is null or c.created_at >= $2)
    and ($3::timestamptz is null or c.created_at < $3)`;
  return {
    ...listStatements({ matching, columns: 'c.*', table: 'c', values: [user, from, to] }),
    sortColumns: { created_at: 'c.created_at' },
    defaultSort: ['c.created_at', 'c.code'],
  };
}
