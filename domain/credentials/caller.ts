// The identified sender of a request: a user, by a key or a session, and what it may do. Created
// once for each cached key or session, and shared by all its requests.

import type { KeyId, UserId } from '../../core/money/index.ts';
import type { KeyRow } from './keys.ts';
import type { OwnerRow } from './owned-credentials.ts';
import type { SessionKind, SessionRow } from './sessions.ts';

export interface Caller {
  readonly kind: 'key' | 'session';
  readonly user: UserId;
  /** 0 for a session. */
  readonly key: KeyId;
  /** 0 for a key. */
  readonly session: number;
  /** `login` for a person's own login; undefined for a key. */
  readonly sessionKind: SessionKind | undefined;
  /** When a password or second factor was last proven in the session; 0 if never. */
  readonly strongAtMs: number;
  readonly email: string;
  /** The role that this key or session may use: `user` unless another one was granted. */
  readonly role: string;
  readonly permissions: ReadonlySet<string>;
  readonly canRead: boolean;
  readonly canTrade: boolean;
  readonly canWithdraw: boolean;
  readonly language: string;
  readonly verificationLevel: number;
  readonly isActivated: boolean;
  /** 0 if withdrawals are not blocked. */
  readonly withdrawalBlockedUntilMs: number;
  /** The path has no prefix: `/admin/users`. */
  mayOperate(path: string, method: string): boolean;
}

const EVERYTHING = '*';
const NO_ROLE = 'user';

export function callerOfKey(key: KeyRow, owner: OwnerRow): Caller {
  const { canRead, canTrade, canWithdraw, id } = key;
  return makeCaller(owner, key.role === 'admin', {
    kind: 'key',
    key: id,
    session: 0,
    sessionKind: undefined,
    strongAtMs: 0,
    canRead,
    canTrade,
    canWithdraw,
  });
}

/** A session may do everything its user may. Routes declare whether they accept sessions. */
export function callerOfSession(session: SessionRow, owner: OwnerRow): Caller {
  const mayUseRole = owner.role !== null && session.scopes.includes(owner.role);
  return makeCaller(owner, mayUseRole, {
    kind: 'session',
    key: 0 as KeyId,
    session: session.id,
    sessionKind: session.kind,
    strongAtMs: session.strongAt?.getTime() ?? 0,
    canRead: true,
    canTrade: true,
    canWithdraw: true,
  });
}

type Means = Pick<
  Caller,
  'kind' | 'key' | 'session' | 'sessionKind' | 'strongAtMs' | 'canRead' | 'canTrade' | 'canWithdraw'
>;

function makeCaller(owner: OwnerRow, mayUseRole: boolean, means: Means): Caller {
  const permissions = new Set(mayUseRole ? owner.permissions : []);
  return Object.freeze({
    ...means,
    user: owner.user,
    email: owner.email,
    role: (mayUseRole ? owner.role : null) ?? NO_ROLE,
    permissions,
    language: owner.language,
    verificationLevel: owner.verificationLevel,
    isActivated: owner.activated,
    withdrawalBlockedUntilMs: owner.withdrawalBlockedUntil?.getTime() ?? 0,
    mayOperate: (path: string, method: string) =>
      permissions.has(EVERYTHING) || permissions.has(`${path}:${method.toLowerCase()}`),
  });
}
