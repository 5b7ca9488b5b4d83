// Login history: every attempt that reached the password. Append-only, with one partition per
// month, kept for 13 months.

import { DAY_MS } from '../../../core/market-data/index.ts';
import type { UserId } from '../../../core/money/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { normalEmail } from '../../accounts/index.ts';
import { type IdentityClient, shortUserAgent } from '../person-context.ts';

export type LoginOutcome =
  | 'success'
  | 'password_wrong'
  | 'blocked'
  | 'email_not_verified'
  | 'not_verified'
  | 'not_activated'
  | 'factor_missing'
  | 'factor_wrong'
  | 'suspicious';

export interface LoginAttempt {
  /** Null if the typed address has no account. */
  readonly user: UserId | null;
  /** As typed; '' for a passkey. */
  readonly email: string;
  readonly outcome: LoginOutcome;
  readonly client: IdentityClient;
  readonly country: string;
  readonly device: number | null;
  readonly nowMs: number;
}

export interface LoginRow {
  readonly id: number;
  readonly user: UserId;
  readonly outcome: LoginOutcome;
  readonly ip: string;
  readonly country: string;
  readonly userAgent: string;
  readonly createdAt: Date;
}

export interface LoginFilter {
  readonly user: UserId;
  /** Only successful ones, or only failed ones; both if undefined. */
  readonly status?: boolean | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

const MONTHS_KEPT = 13;
const MONTHS_AHEAD = 2;
const ROWS_PER_DELETE = 10_000;
/** Attempts of one user that are checked to count clients that know the password. */
const RECENT_ATTEMPTS_MAX = 200;

/** Returns the login ID. */
export async function recordLogin(
  statements: Statements,
  vault: Vault,
  attempt: LoginAttempt,
): Promise<number> {
  const { client, country, device, email, nowMs, outcome, user } = attempt;
  const { rows } = await statements.query(
    `insert into logins (created_at, user_id, email_mac, outcome, ip, country, device_id,
       user_agent)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [
      new Date(nowMs),
      user,
      vault.mac('login email', normalEmail(email)),
      outcome,
      client.address,
      country,
      device,
      shortUserAgent(client),
    ],
  );
  return idOf(rows[0].id);
}

/**
 * Counts clients that sent the right password within a day, failed the second factor and did not
 * succeed later. Each of them knows the password and lacks the factor.
 */
export async function countPasswordKnown(
  statements: Statements,
  { nowMs, user }: { readonly user: UserId; readonly nowMs: number },
): Promise<number> {
  const { rows } = await statements.query(
    `with recent as (
       select id, outcome, ip from logins where user_id = $1 and created_at > $2
       order by id desc limit ${RECENT_ATTEMPTS_MAX})
     select count(*) from recent as failed
     where outcome in ('factor_missing', 'factor_wrong') and not exists (
       select from recent as later
       where later.outcome = 'success' and later.ip = failed.ip and later.id > failed.id)`,
    [user, new Date(nowMs - DAY_MS)],
  );
  return Number(rows[0].count);
}

/** Statements of a list of logins; see ListSource in the gateway. */
export function loginList({ from, status, to, user }: LoginFilter) {
  const where = `
    where user_id = $1 and ($2::boolean is null or (outcome = 'success') = $2)
      and ($3::timestamptz is null or created_at >= $3)
      and ($4::timestamptz is null or created_at <= $4)`;
  return {
    values: [user, status ?? null, from ?? null, to ?? null] as const,
    rows: (order: string) => `select * from logins ${where} ${order} limit $5 offset $6`,
    count: `select count(*) from (select from logins ${where} limit $5) as counted`,
    sortColumns: { id: 'id', created_at: 'created_at', timestamp: 'created_at' },
    defaultSort: ['id'],
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function loginOf(row: any): LoginRow {
  return {
    id: idOf(row.id),
    user: idOf(row.user_id),
    outcome: row.outcome,
    ip: row.ip,
    country: row.country,
    userAgent: row.user_agent,
    createdAt: row.created_at,
  };
}

/**
 * Creates the partitions of this month and the next two; returns the number of new ones. A month
 * with rows in the default partition stays there. For a scheduled job.
 */
export async function ensureLoginPartitions(
  statements: Statements,
  nowMs: number,
): Promise<number> {
  let made = 0;
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    const { rows } = await statements.query('select make_login_partition($1) as is_made', [
      monthOf(nowMs, ahead),
    ]);
    if (rows[0].is_made) made += 1;
  }
  return made;
}

/**
 * Drops partitions and rows older than 13 months; returns the number of both. For a scheduled job.
 */
export async function dropOldLogins(statements: Statements, nowMs: number): Promise<number> {
  const { rows } = await statements.query('select partitions, rows from drop_old_logins($1, $2)', [
    monthOf(nowMs, -MONTHS_KEPT),
    ROWS_PER_DELETE,
  ]);
  return Number(rows[0].partitions) + Number(rows[0].rows);
}

/** Returns the first day of a month. */
function monthOf(nowMs: number, ahead: number): string {
  const now = new Date(nowMs);
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead));
  return first.toISOString().slice(0, 10);
}
