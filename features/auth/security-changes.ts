// The consequences of a changed password, second factor, e-mail or role: earlier sessions end,
// codes that were sent before expire, guests are paused, and withdrawals are held for a time.

import type { UserId } from '../../core/money/index.ts';
import { idOf, type Statements } from '../../infra/postgres/index.ts';

export interface SecurityChange {
  readonly user: UserId;
  /** Stored with ended sessions, suspended keys and the hold: `password_reset`. */
  readonly reason: string;
  /** No withdrawal for this long; 0 for none. A hold that lasts longer stays. */
  readonly holdMs: number;
  /** The session that makes the change, if it may go on. */
  readonly keepSession?: number;
  /** Forgets the user's devices. */
  readonly endsDevices?: boolean;
  /** Suspends API keys that trade, withdraw or act as an operator, those of sub-accounts too. */
  readonly suspendsKeys?: boolean;
}

export const CREDENTIAL_HOLD_MS = 86_400_000;

/**
 * Call it in the transaction of the change. After the commit the caller announces the change, so
 * that gateways drop the user's sessions and keys. Returns the user's new security version.
 */
export async function applySecurityChange(
  statements: Statements,
  change: SecurityChange,
): Promise<number> {
  const { endsDevices, holdMs, keepSession = 0, reason, suspendsKeys, user } = change;
  // The row of the user is locked first: changes of one user follow each other.
  const { rows } = await statements.query(
    `update users u set security_version = u.security_version + 1, updated_at = now(),
       withdrawal_blocked_until = greatest(u.withdrawal_blocked_until, hold.until),
       block_reason = case when hold.until > coalesce(u.withdrawal_blocked_until, '-infinity')
         then $2 else u.block_reason end
     from (select case when $3::bigint > 0 then now() + $3 * interval '1 ms' end as until) hold
     where u.id = $1 returning u.security_version`,
    [user, reason, holdMs],
  );
  if (rows.length === 0) throw new RangeError(`user ${user} does not exist`);
  const version = idOf<number>(rows[0].security_version);
  // A thief may have let a guest in: the owner resumes what is right. All changes of
  // shares and sessions lock them in this order.
  await statements.query(
    "update shared_accounts set state = 'paused' where user_id = $1 and state = 'active'",
    [user],
  );
  // Also those in which the person acts for a sub-account, or as a guest. Locked by id: changes of
  // two people who are each other's guests cannot deadlock.
  await statements.query(
    `update sessions set revoked_at = now(), revoked_reason = $2
     where id in (
       select id from sessions
       where (user_id = $1 or actor_id = $1) and revoked_at is null and id <> $3
       order by id for no key update)`,
    [user, reason, keepSession],
  );
  await statements.query(
    `update sessions set security_version = $2
     where user_id = $1 and revoked_at is null and id = $3`,
    [user, version, keepSession],
  );
  await statements.query(
    `update codes set expires_at = now()
     where user_id = $1 and used_at is null and expires_at > now()`,
    [user],
  );
  if (endsDevices === true) {
    await statements.query(
      'update devices set revoked_at = now() where user_id = $1 and revoked_at is null',
      [user],
    );
  }
  if (suspendsKeys === true) {
    await statements.query(
      `update api_keys set suspended_reason = $2
       where user_id in (select $1::bigint union all select id from users where parent_id = $1)
         and not revoked and (can_trade or can_withdraw or role = 'admin')
         and suspended_reason is null`,
      [user, reason],
    );
  }
  return version;
}
