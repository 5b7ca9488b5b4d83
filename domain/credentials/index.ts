// Credentials: API keys and sessions, and the callers they make.
// Knows rows and rules; the cache and the replay set are infra/access.

export type { Caller } from './caller.ts';
export {
  announceKey,
  type CredentialChange,
  type CredentialChangeFeed,
  changeKey,
  type IssuedKey,
  issueKey,
  KEY_ADDRESSES_MAX,
  KEY_LIFE_MS,
  type KeyRefusal,
  type KeyRequest,
  refuseKeyChange,
  refuseNewKey,
  revokeKey,
} from './issue-credentials.ts';
export {
  grantSession,
  type IssuedSession,
  issueSession,
  LONG_SESSION_LIFE_MS,
  OPERATOR_SESSION_IDLE_S,
  OPERATOR_SESSION_LIFE_MS,
  revokeSession,
  SESSION_LIFE_MS,
  type SessionRequest,
} from './issue-sessions.ts';
export {
  findKey,
  type KeyBinding,
  type KeyChange,
  type KeyKind,
  type KeyOfUser,
  type KeyRole,
  type KeyRow,
  keyBound,
  listKeys,
  listLiveKeys,
  markKeyRevoked,
} from './keys.ts';
export { openAccess } from './open-access.ts';
export { markSessionRevoked, type SessionKind, type SessionRow } from './sessions.ts';
