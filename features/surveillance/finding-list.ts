// Findings as a queue with filters: highest score first, or in the order of time.

import type { UserId } from '../../core/money/index.ts';
import type { FindingResult, FindingState } from './api/surveillance.ts';
import { IS_NOT_OWN } from './findings.ts';
import type { RuleName } from './rule.ts';

export interface FindingFilter {
  /** Findings about the reader's own family are left out. */
  readonly reader: UserId;
  readonly rule?: RuleName | undefined;
  /** `under_way`: open or taken. */
  readonly state?: FindingState | 'under_way' | undefined;
  readonly result?: FindingResult | undefined;
  readonly user?: UserId | undefined;
  readonly takenBy?: UserId | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface FindingList {
  /** In the given order; the last two values are limit and offset. */
  rows(order: string): string;
  /** The last value is the maximum count. */
  readonly count: string;
  readonly values: readonly unknown[];
  readonly sortColumns: Readonly<Record<string, string>>;
  readonly defaultSort: readonly string[];
}

export function findingList(filter: FindingFilter): FindingList {
  const { from, reader, result, rule, state, takenBy, to, user } = filter;
  const states = state === 'under_way' ? ['open', 'taken'] : state && [state];
  const matching = `
    from findings f where ${IS_NOT_OWN('$1')}
    and ($2::text is null or f.rule = $2)
    and ($3::text[] is null or f.state = any ($3))
    and ($4::text is null or f.result = $4)
    and ($5::bigint is null or f.user_id = $5)
    and ($6::bigint is null or f.taken_by = $6)
    and ($7::timestamptz is null or f.first_seen_at >= $7)
    and ($8::timestamptz is null or f.first_seen_at < $8)`;
  return {
    values: [reader, rule, states, result, user, takenBy, from, to].map((value) => value ?? null),
    rows: (order) => `select f.* ${matching} ${order} limit $9 offset $10`,
    count: `select count(*) from (select ${matching} limit $9) counted`,
    sortColumns: {
      score: 'f.score',
      first_seen_at: 'f.first_seen_at',
      created_at: 'f.first_seen_at',
      id: 'f.id',
    },
    defaultSort: ['f.score', 'f.id'],
  };
}
