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
export { isRecoveryCode } from './recovery-codes.ts';
export {
  type FactorProof,
  type FactorResult,
  type Factors,
  factorsOf,
  proveFactor,
  STRONG_MS,
} from './second-factor.ts';
export { totpBound, totpCode } from './totp.ts';
