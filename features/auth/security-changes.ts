// Consequences of a changed password, second factor, email address or role: earlier sessions end,
// earlier codes expire, guests are paused, and withdrawals are blocked for a time.

import type { UserId } from '../../core/money/index.ts';
import { idOf, type Statements } from '../../infra/postgres/index.ts';

export interface SecurityChange {
  readonly user: UserId;
  /** Stored with ended sessions, suspended keys and the hold, for example `password_reset`. */
  readonly reason: string;
  /** Blocks withdrawals for this long; 0 for no block. A longer existing block stays. */
  readonly holdMs: number;
  /** Session making the change, if it stays valid. */
  readonly keepSession?: number;
  /** Forgets the user's devices. */
  readonly endsDevices?: boolean;
  /**
   * Suspends API keys that trade, withdraw or act as an operator, including those of sub-accounts.
   */
  readonly suspendsKeys?: boolean;
}

export const CREDENTIAL_HOLD_MS = 86_400_000;

/**
 * Call it in the transaction of the change. After the commit the caller announces the change, so
 * gateways drop the user's sessions and keys. Returns the user's new security version.
 */
export async function applySecurityChange(
  statements: Statements,
  change: SecurityChange,
): Promise<number> {
  const { endsDevices, holdMs, keepSession = 0, reason, suspendsKeys, user } = change;
  // Locks the user's row first, so changes of one user run one after another.
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
  // A thief might have let a guest in, so the owner must resume shares. All changes of shares and
  // sessions lock them in this order.
  await statements.query(
    "update shared_accounts set state = 'paused' where user_id = $1 and state = 'active'",
    [user],
  );
  // Includes sessions in which the user acts for a sub-account or as a guest. Locked by ID, so
  // changes of two users who are each other's guests cannot deadlock.
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
