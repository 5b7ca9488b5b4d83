// Scheduled jobs that delete old logins, codes, factors and sessions.

import { DAY_MS } from '../../core/market-data/index.ts';
import { deleting, type Job, type JobContext, untilNothing } from '../../platform/jobs/index.ts';
import { dropOldLogins, ensureLoginPartitions } from './login/logins.ts';
import { dropOldThrottles } from './throttles.ts';

/** Used and expired codes are kept for a day to explain a second click. */
const OLD_CODES_MS = DAY_MS;
const PENDING_FACTOR_MS = DAY_MS;
const OLD_INVITATIONS_MS = 30 * DAY_MS;
/** As long as the login history. */
const OLD_SESSIONS_MS = 396 * DAY_MS;
/** The code of a sign-up contains a pending password; it is removed with its unverified user. */
const HOLDS_PASSWORD = `(purpose = 'verify_email' and exists (
  select from users u where u.id = user_id and u.state = 'unverified'))`;

export const AUTH_JOBS: readonly Job[] = [
  { name: 'keep_login_partitions', schedule: '7 0 * * *', run: keepLoginPartitions },
  { name: 'delete_old_logins', schedule: '17 2 * * *', run: deleteOldLogins },
  {
    name: 'delete_spent_challenges',
    schedule: '*/10 * * * *',
    run: deleting('spent_challenges', 'expires_at < $1', 0),
  },
  { name: 'delete_old_throttles', schedule: '47 * * * *', run: deleteOldThrottles },
  {
    name: 'delete_old_codes',
    schedule: '57 * * * *',
    run: deleting('codes', `expires_at < $1 and not ${HOLDS_PASSWORD}`, OLD_CODES_MS),
  },
  {
    name: 'delete_pending_factors',
    schedule: '12 * * * *',
    run: deleting('totp_secrets', `state = 'pending' and created_at < $1`, PENDING_FACTOR_MS),
  },
  {
    name: 'delete_old_sessions',
    schedule: '42 2 * * *',
    run: deleting('sessions', 'least(revoked_at, expires_at) < $1', OLD_SESSIONS_MS),
  },
  {
    name: 'delete_old_invitations',
    schedule: '32 4 * * *',
    run: deleting('invitations', 'expires_at < $1', OLD_INVITATIONS_MS),
  },
];

function keepLoginPartitions({ nowMs, pool }: JobContext): Promise<number> {
  return ensureLoginPartitions(pool, nowMs);
}

function deleteOldLogins({ nowMs, pool }: JobContext): Promise<number> {
  return untilNothing(() => dropOldLogins(pool, nowMs));
}

function deleteOldThrottles({ nowMs, pool }: JobContext): Promise<number> {
  return untilNothing(() => dropOldThrottles(pool, nowMs));
}
