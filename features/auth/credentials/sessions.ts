// Rows of sessions. A session is found by its token's hash; only its owner has the token. Never
// publishes on the bus.

import type { UserId } from '../../../core/money/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';

/** login: a user's own login. sub: opened by a sub-account's owner. shared: opened by a guest. */
export type SessionKind = 'login' | 'sub' | 'shared';

export interface NewSession {
  readonly user: UserId;
  /** SHA-256. */
  readonly tokenHash: Uint8Array;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  readonly kind: SessionKind;
  readonly actor: UserId | null;
  /** Login session from which the actor entered the account; this session ends with it. */
  readonly openedBy: number | null;
  readonly device: number | null;
  readonly login: number | null;
  /** The user's version at login. */
  readonly securityVersion: number;
  readonly strongAt: Date | null;
  readonly idleSeconds: number | null;
  readonly ip: string;
  readonly userAgent: string;
}

export interface SessionRow extends NewSession {
  readonly id: number;
  readonly revokedAt: Date | null;
  readonly revokedReason: string | null;
  readonly lastSeenAt: Date | null;
  readonly createdAt: Date;
}

export async function createSession(
  statements: Statements,
  session: NewSession,
): Promise<SessionRow> {
  const { actor, device, expiresAt, idleSeconds, ip, kind, login, openedBy, scopes } = session;
  const { rows } = await statements.query(
    `insert into sessions (user_id, token_hash, scopes, expires_at, kind, actor_id, device_id,
       login_id, security_version, strong_at, idle_seconds, ip, user_agent, opened_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) returning *`,
    [
      session.user,
      session.tokenHash,
      scopes,
      expiresAt,
      kind,
      actor,
      device,
      login,
      session.securityVersion,
      session.strongAt,
      idleSeconds,
      ip,
      session.userAgent,
      openedBy,
    ],
  );
  return sessionOf(rows[0]);
}

/** Ends all live sessions except the newest `keep`. Returns their IDs. */
export async function endOldestSessions(
  statements: Statements,
  user: UserId,
  keep: number,
): Promise<number[]> {
  // Concurrent logins of one user do not see each other's sessions until they commit.
  await statements.query("select pg_advisory_xact_lock(hashtextextended('sessions', $1))", [user]);
  const { rows } = await statements.query(
    `update sessions set revoked_at = now(), revoked_reason = 'too_many'
     where id in (
       select id from sessions where user_id = $1 and revoked_at is null and expires_at > now()
       order by id desc offset $2
     ) returning id`,
    [user, keep],
  );
  return rows.map(({ id }) => idOf(id));
}

/**
 * Returns false if the user neither has such a session nor acts in it, or it was already revoked.
 * Sessions opened from it end with it; see readSessions.
 */
export async function markSessionRevoked(
  statements: Statements,
  session: { readonly user: UserId; readonly id: number; readonly reason?: string },
): Promise<boolean> {
  const { rowCount } = await statements.query(
    `update sessions set revoked_at = now(), revoked_reason = $3
     where id = $1 and $2 in (user_id, actor_id) and revoked_at is null`,
    [session.id, session.user, session.reason ?? 'logout'],
  );
  return rowCount === 1;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function sessionOf(row: any): SessionRow {
  return {
    id: idOf(row.id),
    user: idOf(row.user_id),
    tokenHash: row.token_hash,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    kind: row.kind,
    actor: row.actor_id === null ? null : idOf(row.actor_id),
    openedBy: row.opened_by == null ? null : idOf(row.opened_by),
    device: row.device_id === null ? null : idOf(row.device_id),
    login: row.login_id === null ? null : idOf(row.login_id),
    securityVersion: Number(row.security_version),
    strongAt: row.strong_at,
    idleSeconds: row.idle_seconds === null ? null : Number(row.idle_seconds),
    ip: row.ip,
    userAgent: row.user_agent,
    revokedAt: row.revoked_at,
    revokedReason: row.revoked_reason,
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
  };
}
