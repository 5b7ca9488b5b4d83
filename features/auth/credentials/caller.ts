// Identified sender of a request: a user, by a key or a session, and its permissions. The actor is
// the person behind it: the parent of a sub-account, or a guest. Created once per cached key or
// session and shared by all its requests.

import type { KeyId, UserId } from '../../../core/money/index.ts';
import type { KeyRow } from './keys.ts';
import type { OwnerRow } from './owned-credentials.ts';
import type { SessionKind, SessionRow } from './sessions.ts';

export interface Caller {
  readonly kind: 'key' | 'session';
  /** Account that the request is about. */
  readonly user: UserId;
  /** Acting user; differs from `user` in a session of a sub-account or a guest. */
  readonly actor: UserId;
  readonly isSubAccount: boolean;
  /** Parent of a sub-account, and the actor if different. */
  readonly relatedUsers: readonly UserId[];
  /** 0 for a session. */
  readonly key: KeyId;
  /** 0 for a key. */
  readonly session: number;
  /** The actor's login session, with which this session ends; 0 if it is a login itself. */
  readonly openedBy: number;
  /** When the session began, in milliseconds since 1970; 0 for a key. */
  readonly beganAtMs: number;
  /** `login` for a person's own login; undefined for a key. */
  readonly sessionKind: SessionKind | undefined;
  /** When a password or second factor was last proven in the session; 0 if never. */
  readonly strongAtMs: number;
  readonly email: string;
  /** Role that this key or session can use: `user` unless another one was granted. */
  readonly role: string;
  readonly permissions: ReadonlySet<string>;
  /** Named permissions of the role; `features/approvals` lists them. */
  readonly powers: ReadonlySet<string>;
  readonly canRead: boolean;
  readonly canTrade: boolean;
  readonly canWithdraw: boolean;
  readonly language: string;
  readonly verificationLevel: number;
  readonly isActivated: boolean;
  /** 0 if withdrawals are not blocked. */
  readonly withdrawalBlockedUntilMs: number;
  /** The path has no prefix, for example `/admin/users`. */
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
    openedBy: 0,
    beganAtMs: 0,
    sessionKind: undefined,
    strongAtMs: 0,
    actor: owner.user,
    canRead,
    canTrade,
    // Money leaves a sub-account only through its parent, even if the key's row permits more.
    canWithdraw: canWithdraw && owner.parent === null,
  });
}

/**
 * A login session has all permissions of its user. A session of a sub-account or a guest can read
 * and trade, without the user's role. Routes declare whether they accept sessions.
 */
export function callerOfSession(session: SessionRow, owner: OwnerRow): Caller {
  const isLogin = session.kind === 'login' && owner.parent === null;
  const mayUseRole = isLogin && owner.role !== null && session.scopes.includes(owner.role);
  return makeCaller(owner, mayUseRole, {
    kind: 'session',
    key: 0 as KeyId,
    session: session.id,
    openedBy: session.openedBy ?? 0,
    beganAtMs: session.createdAt.getTime(),
    // A sub-account has no separate login.
    sessionKind: session.kind === 'login' && !isLogin ? 'sub' : session.kind,
    strongAtMs: session.strongAt?.getTime() ?? 0,
    actor: session.actor ?? owner.user,
    canRead: true,
    canTrade: true,
    canWithdraw: isLogin,
  });
}

type Means = Pick<
  Caller,
  | 'kind'
  | 'key'
  | 'session'
  | 'openedBy'
  | 'beganAtMs'
  | 'sessionKind'
  | 'strongAtMs'
  | 'actor'
  | 'canRead'
  | 'canTrade'
  | 'canWithdraw'
>;

function makeCaller(owner: OwnerRow, mayUseRole: boolean, means: Means): Caller {
  const related = new Set([means.actor, ...(owner.parent === null ? [] : [owner.parent])]);
  related.delete(owner.user);
  const permissions = new Set(mayUseRole ? owner.permissions : []);
  return Object.freeze({
    ...means,
    user: owner.user,
    isSubAccount: owner.parent !== null,
    relatedUsers: [...related],
    email: owner.email,
    role: (mayUseRole ? owner.role : null) ?? NO_ROLE,
    permissions,
    powers: new Set(mayUseRole ? owner.powers : []),
    language: owner.language,
    verificationLevel: owner.verificationLevel,
    isActivated: owner.activated,
    withdrawalBlockedUntilMs: owner.withdrawalBlockedUntil?.getTime() ?? 0,
    mayOperate: (path: string, method: string) =>
      permissions.has(EVERYTHING) || permissions.has(`${path}:${method.toLowerCase()}`),
  });
}
