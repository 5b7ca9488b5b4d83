// Credentials: API keys and sessions, and the callers they make.
// Knows rows and rules; the cache and the replay set are infra/access.

export type { Caller } from './caller.ts';
export {
  issueKey,
  issueSession,
  LONG_SESSION_LIFE_MS,
  revokeKey,
  revokeSession,
  SESSION_LIFE_MS,
  updateKey,
} from './issue-credentials.ts';
export { type KeyBinding, type KeyRow, keyBound, listKeys } from './keys.ts';
export { openAccess } from './open-access.ts';
