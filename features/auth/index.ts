// Auth: sign-up, login, second factors, passwords, sessions, API keys, and the credentials in
// requests.

export { confirmEmailChange, requestEmailChange } from './change-email.ts';
export { circumstancesOf, freezeToken } from './circumstances.ts';
export { closeAccount, deactivateAccount } from './close-account.ts';
export {
  type CodeForm,
  codeBound,
  type Flow,
  issueCode,
  type PublicCodeRefusal,
  returnCode,
  usePublicCode,
} from './codes.ts';
export type { Caller } from './credentials/caller.ts';
export {
  type CredentialChange,
  type CredentialChangeFeed,
  issueKey,
  revokeKey,
} from './credentials/issue-credentials.ts';
export {
  grantSession,
  type IssuedSession,
  issueSession,
  LONG_SESSION_LIFE_MS,
  SESSION_LIFE_MS,
} from './credentials/issue-sessions.ts';
export { type KeyBinding, type KeyRow, keyBound, listKeys } from './credentials/keys.ts';
export { openAccess } from './credentials/open-access.ts';
export { readKeys } from './credentials/owned-credentials.ts';
export { isRecoveryCode } from './factors/recovery-codes.ts';
export { type FactorRefusal, refuseFactor, refuseFactorIfAny } from './factors/second-factor.ts';
export { activateTotp, requestTotp, totpBound, totpCode } from './factors/totp.ts';
export { freezeUser, unfreezeUser } from './freeze.ts';
export { loginOf } from './login/logins.ts';
export { findLoginUser } from './login/open-session.ts';
export { sessionListRowOf } from './login/session-list.ts';
export { type AuthDependencies, openAuth } from './open-auth.ts';
export { operatorCircumstances } from './operator-changes.ts';
export { BloomFilter } from './passwords/bloom-filter.ts';
export {
  HashQueueFull,
  PasswordHasher,
  type PasswordTag,
  passwordTagOf,
  passwordTagText,
} from './passwords/password-hasher.ts';
export { COMMON_PASSWORDS_FILE, checkPassword } from './passwords/password-rules.ts';
export { installPassword, passwordBound, readPassword } from './passwords/passwords.ts';
export {
  type AccountHolder,
  type ActRefusal,
  factorProof,
  type HolderRefusal,
  type IdentityClient,
  lockHolder,
  type PersonContext,
  type Proofs,
  proveBoth,
  refuseMails,
} from './person-context.ts';
export { applySecurityChange } from './security-changes.ts';
export { createInvitation, INVITATION_LIFE_MS } from './sign-up/invitations.ts';
export { signUp } from './sign-up/sign-up.ts';
export { chargeAddress } from './throttles.ts';
