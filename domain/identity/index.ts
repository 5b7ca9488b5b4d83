// Identity: how people sign up, log in, and prove that they are who they were.

export {
  type CodeForm,
  type CodePurpose,
  type CodeRefusal,
  codeBound,
  type Flow,
  issueCode,
  type NewCode,
  type UsedCode,
  useCode,
  useCodeOfUser,
} from './codes.ts';
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
export { installPassword, passwordBound, readPassword } from './passwords.ts';
export { isRecoveryCode } from './recovery-codes.ts';
export {
  type FactorProof,
  type FactorResult,
  type Factors,
  factorsOf,
  proveFactor,
  STRONG_MS,
} from './second-factor.ts';
export {
  applySecurityChange,
  CREDENTIAL_HOLD_MS,
  type SecurityChange,
} from './security-changes.ts';
export { totpBound, totpCode } from './totp.ts';
