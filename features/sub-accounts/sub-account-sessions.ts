// Sessions in which a user acts for one of their sub-accounts: the subject is the sub-account, the
// actor is the parent. They can read and trade, end with every change of the parent's credentials,
// and never outlive the login session that opened them.

import type { UserId } from '../../core/money/index.ts';
import { type Connection, idOf, inTransaction } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { type IssuedSession, issueSession, lockHolder, type PersonContext } from '../auth/index.ts';
import { areLoginsStopped } from '../kill-switches/index.ts';
import { lockOwnSub } from './sub-accounts.ts';

/** Session and client from which a user enters another account. */
export interface Entering {
  readonly person: PersonContext;
  readonly ip: string;
  readonly userAgent: string;
  readonly exchangeName: string;
}

export interface SubSessionRequest extends Entering {
  readonly sub: UserId;
}

export interface ActingSession extends Entering {
  readonly kind: 'sub' | 'shared';
  /** Entered account. */
  readonly user: UserId;
  /** Language of the acting user. */
  readonly language: string;
}

const LIFE_MS_MAX = 86_400_000;

/** After the commit, announce the sessions ended because there were too many. */
export function openSubAccountSession(
  connection: Connection,
  vault: Vault,
  request: SubSessionRequest,
) {
  const { person, sub } = request;
  return inTransaction(connection, async () => {
    const holder = await lockHolder(connection, person);
    if (holder instanceof Refused) return holder;
    if (!(await lockOwnSub(connection, { parent: person.user, sub }))) {
      return new Refused('sub_account_not_found');
    }
    if (await areLoginsStopped(connection)) return new Refused('logins_stopped');
    const { language } = holder;
    return issueActingSession(connection, vault, { ...request, kind: 'sub', user: sub, language });
  });
}

/** The user and the account must be locked, the user logged in and allowed to enter. */
export async function issueActingSession(
  connection: Connection,
  vault: Vault,
  request: ActingSession,
): Promise<IssuedSession> {
  const { person, exchangeName, ip, kind, language, user, userAgent } = request;
  const { rows } = await connection.query(
    `select u.email, u.security_version, s.expires_at, s.device_id, s.login_id
     from users u, sessions s where u.id = $1 and s.id = $2`,
    [user, person.flow.session],
  );
  const [{ device_id, email, expires_at, login_id, security_version }] = rows;
  return issueSession(connection, vault, {
    user,
    email,
    role: null,
    scopes: ['user'],
    language,
    kind,
    actor: person.user,
    openedBy: person.flow.session,
    device: device_id === null ? undefined : idOf<number>(device_id),
    login: login_id === null ? undefined : idOf<number>(login_id),
    ip,
    userAgent,
    lifeMs: Math.min(LIFE_MS_MAX, expires_at.getTime() - person.nowMs),
    securityVersion: Number(security_version),
    nowMs: person.nowMs,
    exchangeName,
  });
}
