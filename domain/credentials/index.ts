// Credentials: API keys and sessions, and the callers they make.
// Knows rows and rules; the cache and the replay set are infra/access.

export type { Caller } from './caller.ts';
export {
  announceKey,
  type CredentialChangeFeed,
  changeKey,
  issueKey,
  issueSession,
  type KeyRefusal,
  type KeyRequest,
  LONG_SESSION_LIFE_MS,
  revokeKey,
  revokeSession,
  SESSION_LIFE_MS,
  updateKey,
} from './issue-credentials.ts';
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
