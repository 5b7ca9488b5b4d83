// Sessions of all users. Those in which a user acts for a sub-account or as a guest are also listed
// for that user.

import type { UserId } from '../../../core/money/index.ts';
import { sessionHasEnded } from '../../kill-switches/index.ts';
import { type DateRange, listStatements, type OperatorList } from './list-statement.ts';

export interface SessionsFilter extends DateRange {
  readonly user?: UserId | undefined;
  /** Only live ones, or only ended ones. */
  readonly status?: boolean | undefined;
  /** Only those used since. */
  readonly seenSince?: Date | undefined;
}

export function sessionsOfUsers(filter: SessionsFilter): OperatorList {
  const { from, seenSince, status, to, user } = filter;
  const isLive = `s.revoked_at is null and s.expires_at > now()
    and (s.idle_seconds is null or coalesce(s.last_seen_at, s.created_at)
      > now() - s.idle_seconds * interval '1 s')
    and s.security_version = (select u.security_version from users u where u.id = s.user_id)
    and not exists (select from sessions o where o.id = s.opened_by and o.revoked_at is not null)
    and not ${sessionHasEnded('s')}`;
  const matching = `
    from sessions s where ($1::bigint is null or s.user_id = $1 or s.actor_id = $1)
    and ($2::boolean is null or ($2 and ${isLive}) or (not $2 and not (${isLive})))
    and ($3::timestamptz is null or s.last_seen_at >= $3)
    and ($4::timestamptz is null or s.created_at >= $4)
    and ($5::timestamptz is null or s.created_at < $5)`;
  const isByTime = from !== undefined || to !== undefined;
  return {
    ...listStatements({
      matching,
      columns: 's.*',
      table: 's',
      values: [user, status, seenSince, from, to],
      lookedUp: [
        `${isLive} as is_live`,
        `coalesce((select d.country from devices d where d.id = s.device_id), '') as country`,
        `(select u.role from users u where u.id = s.user_id) as owner_role`,
        `(select u.email from users u where u.id = s.user_id) as owner_email`,
      ],
    }),
    sortColumns: { id: 's.id', created_at: 's.created_at' },
    defaultSort: isByTime ? ['s.created_at', 's.id'] : ['s.id'],
  };
}
