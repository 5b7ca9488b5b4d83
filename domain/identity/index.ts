// Identity: how people sign up, log in and prove who they are.

export {
  type AccountHolder,
  type Act,
  type ActRefusal,
  factorProof,
  type HolderRefusal,
  lockHolder,
  type MailsRefused,
  type Proofs,
  refuseMails,
} from './account-acts.ts';
export {
  type ApiKeyRefusal,
  changeApiKey,
  createApiKey,
  LIVE_KEYS_MAX,
  type NewApiKey,
  requestConfirmation,
  revokeApiKey,
} from './api-keys.ts';
export {
  CAPTCHA_KINDS,
  Captcha,
  type CaptchaKind,
  type CaptchaVerifier,
} from './captcha.ts';
export {
  CHALLENGE_LIFE_MS,
  type ChallengePurpose,
  type ChallengeUse,
  spendChallenge,
} from './challenges.ts';
export {
  confirmEmailChange,
  type EmailChangeRefusal,
  requestEmailChange,
} from './change-email.ts';
export {
  type ConfirmedPasswordChange,
  confirmPasswordChange,
  type PasswordChange,
  requestPasswordChange,
} from './change-password.ts';
export {
  type CircumstancesSource,
  circumstancesOf,
  FREEZE_TOKEN_LIFE_MS,
  freezeToken,
} from './circumstances.ts';
export {
  type ClosingRefusal,
  type ClosingRequest,
  closeAccount,
  deactivateAccount,
} from './close-account.ts';
export {
  type CodeForm,
  type CodePurpose,
  type CodeRefusal,
  codeBound,
  type Flow,
  issueCode,
  type NewCode,
  type PublicCodeRefusal,
  returnCode,
  type UsedCode,
  useCode,
  useCodeOfUser,
  usePublicCode,
} from './codes.ts';
export { Countries, type CountryLookup } from './countries.ts';
export { type DeviceRow, listDevices, revokeDevice } from './devices.ts';
export {
  disableOtp,
  disablePasskey,
  enableOtp,
  enablePasskey,
  type FactorChangeRefusal,
  renewRecoveryCodes,
  requestOtp,
} from './factor-changes.ts';
export { flowOf, newFlow } from './flows.ts';
export { type FrozenAccount, freezeByToken, freezeUser, unfreezeUser } from './freeze.ts';
export type { IdentityClient } from './identity-client.ts';
export {
  consumeInvitation,
  createInvitation,
  INVITATION_LIFE_MS,
  isInvited,
} from './invitations.ts';
export {
  type LoginRefusal,
  logIn,
  type PasswordLogin,
  type PasswordLoginPorts,
  type PasswordLoginRefused,
} from './login.ts';
export {
  dropOldLogins,
  ensureLoginPartitions,
  type LoginOutcome,
  type LoginRow,
  loginList,
  loginOf,
} from './logins.ts';
export {
  finishLogin,
  isFromBlockedCountry,
  type LoginFactor,
  type LoginPorts,
  type LoginSettings,
  type OpenedLogin,
  type OpenRefusal,
  type ProvenLogin,
  type RefusedLogin,
} from './open-session.ts';
export {
  logInWithPasskey,
  type PasskeyLoginRefused,
  passkeyLoginOptions,
} from './passkey-login.ts';
export {
  type AuthenticationOptions,
  authenticationOptions,
  listPasskeys,
  PASSKEYS_MAX,
  type PasskeyAnswer,
  type PasskeyRow,
  type RelyingParty,
  registrationOptions,
  type SentCredential,
  usePasskey,
  userHandle,
} from './passkeys.ts';
export {
  type HasherWatcher,
  HashQueueFull,
  isBelowMinimum,
  PasswordHasher,
  type PasswordTag,
  passwordTagOf,
  passwordTagText,
} from './password-hasher.ts';
export { passwordHasherTelemetry } from './password-hasher-telemetry.ts';
export { checkPassword, type PasswordOwner, type PasswordRefusal } from './password-rules.ts';
export { installPassword, oldPasswordCounter, passwordBound, readPassword } from './passwords.ts';
export { type Challenge, solveChallenge } from './proof-of-work.ts';
export { isRecoveryCode } from './recovery-codes.ts';
export {
  type PasswordReset,
  type PasswordResetRefusal,
  requestPasswordReset,
  resetPassword,
} from './reset-password.ts';
export {
  type FactorProof,
  type FactorResult,
  type Factors,
  factorsOf,
  isStrongSession,
  proveFactor,
  refuseFactorIfAny,
  STRONG_MS,
  strengthenSession,
} from './second-factor.ts';
export {
  applySecurityChange,
  CREDENTIAL_HOLD_MS,
  type SecurityChange,
} from './security-changes.ts';
export { type SessionListRow, sessionList, sessionListRowOf } from './session-list.ts';
export {
  type MailedCodeRequest,
  readWaitingPassword,
  resendVerification,
  type SignUpRefusal,
  type SignUpRequest,
  signUp,
  type Verification,
  type VerificationRefusal,
  verifyEmail,
} from './sign-up.ts';
export { confirmLogin } from './suspicious-login.ts';
export {
  type CountedFailure,
  chargeAddress,
  dropOldThrottles,
  type Throttled,
  type ThrottleScope,
  Throttles,
} from './throttles.ts';
export { totpBound, totpCode, totpUri } from './totp.ts';
