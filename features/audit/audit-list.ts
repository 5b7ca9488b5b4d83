// Audit entries as a list with filters. Personal values stay sealed.

import type { UserId } from '../../core/money/index.ts';
import { idOf } from '../../infra/postgres/index.ts';
import type { JsonValue } from './audit.ts';

export interface AuditFilter {
  readonly seq?: number | undefined;
  /** Affected user. */
  readonly user?: UserId | undefined;
  /** Operator, by ID or email address. */
  readonly operator?: UserId | string | undefined;
  readonly act?: string | undefined;
  readonly object?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface AuditList {
  /** In the given order; the last two values are limit and offset. */
  rows(order: string): string;
  /** The last value is the maximum count. */
  readonly count: string;
  readonly values: readonly unknown[];
  readonly defaultSort: readonly string[];
}

export interface AuditRow {
  readonly seq: number;
  readonly at: Date;
  readonly operator: UserId | null;
  /** The operator's email address; undefined for a tool and for the exchange itself. */
  readonly operatorEmail: string | undefined;
  readonly credential: string;
  readonly address: string;
  readonly act: string;
  readonly object: string;
  readonly user: UserId | null;
  readonly before: JsonValue;
  readonly after: JsonValue;
  readonly hasPersonal: boolean;
  readonly approval: number | null;
  readonly hash: Buffer;
}

/** Columns that the list sorts by; `a` is the table. */
export const AUDIT_SORT_COLUMNS = {
  id: 'a.seq',
  created_at: 'a.at',
  timestamp: 'a.at',
  user_id: 'a.subject_id',
  act: 'a.act',
};

// The planner sees the values, so it drops a null condition.
const MATCHES = `
  ($1::bigint is null or a.subject_id = $1)
  and ($2::bigint is null or a.actor_id = $2)
  and ($3::text is null or a.actor_id = (select id from users where email = lower($3)))
  and ($4::text is null or a.act = $4)
  and ($5::text is null or a.object = $5)
  and ($6::timestamptz is null or a.at >= $6)
  and ($7::timestamptz is null or a.at < $7)
  and ($8::bigint is null or a.seq = $8)`;

export function auditList(filter: AuditFilter): AuditList {
  const { act, from, object, operator, seq, to, user } = filter;
  // Only an index on time limits the scan of a time range.
  const isByTime = from !== undefined || to !== undefined;
  const defaultSort = isByTime ? ['a.at', 'a.seq'] : ['a.seq'];
  const newestFirst = `order by ${defaultSort.map((column) => `${column} desc`).join(', ')}`;
  const id = typeof operator === 'number' ? operator : null;
  const email = typeof operator === 'string' ? operator : null;
  return {
    defaultSort,
    rows: (order) => `
      select a.*, u.email from (
        select * from audit_entries a where ${MATCHES} ${order} limit $9 offset $10
      ) a left join users u on u.id = a.actor_id ${order}`,
    count: `select count(*) from (
      select from audit_entries a where ${MATCHES} ${newestFirst} limit $9) c`,
    values: [user, id, email, act, object, from, to, seq].map((value) => value ?? null),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function auditRowOf(row: any): AuditRow {
  return {
    seq: idOf(row.seq),
    at: row.at,
    operator: idOrNull<UserId>(row.actor_id),
    operatorEmail: row.email ?? undefined,
    credential: row.credential,
    address: row.address,
    act: row.act,
    object: row.object,
    user: idOrNull<UserId>(row.subject_id),
    before: row.before,
    after: row.after,
    hasPersonal: row.sealed !== null,
    approval: idOrNull(row.approval_id),
    hash: row.hash,
  };
}

function idOrNull<Id extends number>(text: string | null): Id | null {
  return text === null ? null : idOf<Id>(text);
}
