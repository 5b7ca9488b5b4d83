// Rows of sessions. A session is found by the hash of its token; only its owner has the token.
// Publishes nothing on the bus.

import type { UserId } from '../../core/money/index.ts';
import { idOf, type Statements } from '../../infra/postgres/index.ts';

export interface SessionRow {
  readonly id: number;
  readonly user: UserId;
  readonly tokenHash: Uint8Array;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly lastSeenAt: Date | null;
  readonly createdAt: Date;
}

export interface NewSession {
  readonly user: UserId;
  /** SHA-256. */
  readonly tokenHash: Uint8Array;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
}

export async function createSession(
  statements: Statements,
  { expiresAt, scopes, tokenHash, user }: NewSession,
): Promise<SessionRow> {
  const { rows } = await statements.query(
    `insert into sessions (user_id, token_hash, scopes, expires_at) values ($1, $2, $3, $4)
     returning *`,
    [user, tokenHash, scopes, expiresAt],
  );
  return sessionOf(rows[0]);
}

/** False if the user has no such session, or it was already revoked. */
export async function markSessionRevoked(
  statements: Statements,
  { id, user }: { readonly user: UserId; readonly id: number },
): Promise<boolean> {
  const { rowCount } = await statements.query(
    `update sessions set revoked_at = now()
     where id = $1 and user_id = $2 and revoked_at is null`,
    [id, user],
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
    revokedAt: row.revoked_at,
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
  };
}
