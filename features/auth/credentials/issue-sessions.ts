// Issues and revokes sessions. The token is returned once; only its hash is stored. A user has a
// limited number of live sessions, and the oldest ones end.

import { DAY_MS, HOUR_MS } from '../../../core/market-data/index.ts';
import type { UserId } from '../../../core/money/index.ts';
import { tokenHash } from '../../../infra/access/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import type { CredentialChangeFeed } from './issue-credentials.ts';
import { makeToken } from './session-token.ts';
import {
  createSession,
  endOldestSessions,
  markSessionRevoked,
  type SessionKind,
  type SessionRow,
} from './sessions.ts';

export interface SessionRequest {
  readonly user: UserId;
  readonly email: string;
  /** The user's role; null for an ordinary user. */
  readonly role: string | null;
  /** `user`, and the role if the session can use it. */
  readonly scopes: readonly string[];
  readonly language: string;
  readonly kind: SessionKind;
  /** Acting user, if different from the user. */
  readonly actor?: UserId | undefined;
  /** The actor's login session; the new session ends with it. */
  readonly openedBy?: number | undefined;
  /** Device and login IDs, if known. */
  readonly device?: number | undefined;
  readonly login?: number | undefined;
  readonly ip: string;
  readonly userAgent: string;
  readonly lifeMs: number;
  /** Idle time after which the session ends; undefined for no limit. */
  readonly idleSeconds?: number | undefined;
  /** When a password or second factor was proven. */
  readonly strongAt?: Date | undefined;
  /**
   * The user's version, read together with the proven credential. A session with an older version
   * is invalid from the start.
   */
  readonly securityVersion: number;
  readonly nowMs: number;
  readonly exchangeName: string;
}

export interface IssuedSession {
  readonly session: SessionRow;
  /** Bearer token: its holder acts as the user. */
  readonly token: string;
  /** Sessions ended because the user has too many; announce them after the commit. */
  readonly ended: readonly number[];
}

export const SESSION_LIFE_MS = 7 * DAY_MS;
export const LONG_SESSION_LIFE_MS = 90 * DAY_MS;
export const OPERATOR_SESSION_LIFE_MS = 12 * HOUR_MS;
export const OPERATOR_SESSION_IDLE_S = 1_800;
const LIVE_SESSIONS_MAX = 20;

/** Call it in the login's transaction. */
export async function issueSession(
  statements: Statements,
  vault: Vault,
  request: SessionRequest,
): Promise<IssuedSession> {
  const { actor, device, idleSeconds, ip, kind, lifeMs, login, nowMs, openedBy } = request;
  const { scopes, securityVersion, strongAt, user, userAgent } = request;
  const expiresAt = new Date(nowMs + lifeMs);
  const token = makeToken(vault, { ...request, expiresAtMs: expiresAt.getTime() });
  const session = await createSession(statements, {
    user,
    tokenHash: Buffer.from(tokenHash(token), 'hex'),
    scopes,
    expiresAt,
    kind,
    actor: actor ?? null,
    openedBy: openedBy ?? null,
    device: device ?? null,
    login: login ?? null,
    securityVersion,
    strongAt: strongAt ?? null,
    idleSeconds: idleSeconds ?? null,
    ip,
    userAgent,
  });
  const ended = await endOldestSessions(statements, user, LIVE_SESSIONS_MAX);
  return { session, token, ended };
}

/** Creates a session without a login, with the user's role. For tools and tests. */
export async function grantSession(
  statements: Statements,
  vault: Vault,
  request: Pick<SessionRequest, 'user' | 'lifeMs' | 'nowMs' | 'exchangeName'> &
    Partial<SessionRequest>,
): Promise<IssuedSession> {
  const { rows } = await statements.query(
    'select email, role, security_version from users where id = $1',
    [request.user],
  );
  const { email, role, security_version: version } = rows[0];
  return issueSession(statements, vault, {
    email,
    role,
    scopes: role === null ? ['user'] : ['user', role],
    language: 'en',
    kind: 'login',
    ip: '',
    userAgent: '',
    strongAt: new Date(request.nowMs),
    securityVersion: Number(version),
    ...request,
  });
}

/** Returns false if the user has no such session, or it was already revoked. */
export async function revokeSession(
  statements: Statements,
  session: { readonly user: UserId; readonly id: number; readonly reason?: string },
  changes: CredentialChangeFeed,
): Promise<boolean> {
  const isDone = await markSessionRevoked(statements, session);
  const { id, user } = session;
  if (isDone) changes.announce({ user, key: 0, session: id, isRevoked: true });
  return isDone;
}
