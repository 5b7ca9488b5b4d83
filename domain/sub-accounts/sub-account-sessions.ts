// Sessions in which a person acts for one of their sub-accounts: the subject is the sub-account,
// the actor is the parent. They may read and trade, end with every change of the parent's
// credentials, and never outlive the login session that opened them.

import type { UserId } from '../../core/money/index.ts';
import { type Connection, idOf, inTransaction } from '../../infra/postgres/index.ts';
import { type IssuedSession, issueSession } from '../credentials/index.ts';
import { type Act, type HolderRefusal, lockHolder } from '../identity/index.ts';
import type { Vault } from '../vault/index.ts';
import { lockOwnSub } from './sub-accounts.ts';

export interface SubSessionRequest {
  readonly act: Act;
  readonly sub: UserId;
  readonly ip: string;
  readonly userAgent: string;
  readonly exchangeName: string;
}

export type SubSessionRefusal = HolderRefusal | 'sub_account_not_found';

export const GUEST_SESSION_LIFE_MS = 86_400_000;

/** Announce the sessions that ended because of too many, after the commit. */
export function openSubAccountSession(
  connection: Connection,
  vault: Vault,
  { act, exchangeName, ip, sub, userAgent }: SubSessionRequest,
): Promise<IssuedSession | SubSessionRefusal> {
  return inTransaction(connection, async () => {
    const holder = await lockHolder(connection, act);
    if (typeof holder === 'string') return holder;
    if (!(await lockOwnSub(connection, { parent: act.user, sub }))) return 'sub_account_not_found';
    const { rows } = await connection.query(
      `select u.email, u.security_version, s.expires_at, s.device_id, s.login_id
       from users u, sessions s where u.id = $1 and s.id = $2`,
      [sub, act.flow.session],
    );
    const [{ device_id, email, expires_at, login_id, security_version }] = rows;
    return issueSession(connection, vault, {
      user: sub,
      email,
      role: null,
      scopes: ['user'],
      language: holder.language,
      kind: 'sub',
      actor: act.user,
      device: device_id === null ? undefined : idOf<number>(device_id),
      login: login_id === null ? undefined : idOf<number>(login_id),
      ip,
      userAgent,
      lifeMs: Math.min(GUEST_SESSION_LIFE_MS, expires_at.getTime() - act.nowMs),
      securityVersion: Number(security_version),
      nowMs: act.nowMs,
      exchangeName,
    });
  });
}
