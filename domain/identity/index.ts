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
  proveBoth,
  refuseMails,
} from './account-acts.ts';
export {
  type ApiKeyRefusal,
  changeApiKey,
  createApiKey,
  LIVE_KEYS_MAX,
  requestConfirmation,
  revokeApiKey,
} from './api-keys.ts';
export { CAPTCHA_KINDS, Captcha, type CaptchaVerifier } from './captcha.ts';
export { type ChallengeUse, spendChallenge } from './challenges.ts';
export { confirmEmailChange, requestEmailChange } from './change-email.ts';
export { confirmPasswordChange, requestPasswordChange } from './change-password.ts';
export { circumstancesOf, freezeToken } from './circumstances.ts';
export { closeAccount, deactivateAccount } from './close-account.ts';
export {
  type CodeForm,
  type CodePurpose,
  codeBound,
  type Flow,
  issueCode,
  type PublicCodeRefusal,
  returnCode,
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
export { freezeByToken, freezeUser, unfreezeUser } from './freeze.ts';
export type { IdentityClient } from './identity-client.ts';
export { createInvitation, INVITATION_LIFE_MS } from './invitations.ts';
export { logIn, type PasswordLoginRefused } from './login.ts';
export {
  dropOldLogins,
  ensureLoginPartitions,
  type LoginRow,
  loginList,
  loginOf,
} from './logins.ts';
export { isFromBlockedCountry, type LoginSettings, type OpenedLogin } from './open-session.ts';
export {
  type EmailReplacementRefusal,
  type OperatorChange,
  operatorCircumstances,
  replaceEmail,
  resetFactors,
  vouchForEmail,
} from './operator-changes.ts';
export { logInWithPasskey, passkeyLoginOptions } from './passkey-login.ts';
export {
  type AuthenticationOptions,
  authenticationOptions,
  listPasskeys,
  PASSKEYS_MAX,
  type PasskeyRow,
  type RelyingParty,
  registrationOptions,
  usePasskey,
  userHandle,
} from './passkeys.ts';
export {
  HashQueueFull,
  PasswordHasher,
  type PasswordTag,
  passwordTagOf,
  passwordTagText,
} from './password-hasher.ts';
export { passwordHasherTelemetry } from './password-hasher-telemetry.ts';
export { checkPassword } from './password-rules.ts';
export { installPassword, oldPasswordCounter, passwordBound, readPassword } from './passwords.ts';
export { solveChallenge } from './proof-of-work.ts';
export { isRecoveryCode } from './recovery-codes.ts';
export { requestPasswordReset, resetPassword } from './reset-password.ts';
export {
  type FactorRefusal,
  factorsOf,
  refuseFactor,
  refuseFactorIfAny,
  strengthenSession,
} from './second-factor.ts';
export {
  applySecurityChange,
  CREDENTIAL_HOLD_MS,
  type SecurityChange,
} from './security-changes.ts';
export { type SessionListRow, sessionList, sessionListRowOf } from './session-list.ts';
export { type ApplyReferral, resendVerification, signUp, verifyEmail } from './sign-up.ts';
export { confirmLogin } from './suspicious-login.ts';
export { chargeAddress, dropOldThrottles, Throttles } from './throttles.ts';
export { totpBound, totpCode, totpUri } from './totp.ts';
