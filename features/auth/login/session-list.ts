// List of a user's sessions with location and device, including those in which the user acts for a
// sub-account or as a guest.

import type { UserId } from '../../../core/money/index.ts';
import { idOf } from '../../../infra/postgres/index.ts';
import { sessionHasEnded } from '../../kill-switches/index.ts';

export interface SessionListRow {
  readonly id: number;
  readonly user: UserId;
  readonly email: string;
  readonly login: number | null;
  /** Whether a request with it would be accepted now. */
  readonly isLive: boolean;
  readonly role: string;
  readonly ip: string;
  readonly userAgent: string;
  /** Two letters; '' if unknown. */
  readonly country: string;
  readonly lastSeenAt: Date | null;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

export interface SessionFilter {
  readonly user: UserId;
  /** Only live ones, or only ended ones; both if undefined. */
  readonly status?: boolean | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Statements of the list; see ListSource in the gateway. */
export function sessionList({ from, status, to, user }: SessionFilter) {
  const found = `
    from sessions s join users u on u.id = s.user_id left join devices d on d.id = s.device_id
      left join sessions o on o.id = s.opened_by
    cross join lateral (select s.revoked_at is null and o.revoked_at is null
      and s.expires_at > now() and s.security_version = u.security_version
      and not ${sessionHasEnded('s')}
      and (s.idle_seconds is null or coalesce(s.last_seen_at, s.created_at)
        > now() - s.idle_seconds * interval '1 s') as is_live) l
    where (s.user_id = $1 or s.actor_id = $1) and ($2::boolean is null or l.is_live = $2)
      and ($3::timestamptz is null or s.created_at >= $3)
      and ($4::timestamptz is null or s.created_at <= $4)`;
  return {
    values: [user, status ?? null, from ?? null, to ?? null] as const,
    rows: (order: string) => `
      select s.*, l.is_live, coalesce(d.country, '') as country, u.role as owner_role,
        u.email as owner_email
      ${found} ${order} limit $5 offset $6`,
    count: `select count(*) from (select ${found} limit $5) as counted`,
    sortColumns: {
      id: 's.id',
      created_at: 's.created_at',
      last_seen: 's.last_seen_at',
      expiry_date: 's.expires_at',
    },
    defaultSort: ['s.id'],
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function sessionListRowOf(row: any): SessionListRow {
  const mayOperate = row.owner_role !== null && row.scopes.includes(row.owner_role);
  return {
    id: idOf(row.id),
    user: idOf(row.user_id),
    email: row.owner_email,
    login: row.login_id === null ? null : idOf(row.login_id),
    isLive: row.is_live,
    role: mayOperate ? row.owner_role : 'user',
    ip: row.ip,
    userAgent: row.user_agent,
    country: row.country,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  };
}
