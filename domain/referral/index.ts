// Referral: codes, who was referred by whom, the shares of fees that referrers earn, and payouts.
// Shares are exact until they are paid. Never decides whether a balance is sufficient.

export {
  type Affiliation,
  affiliationOf,
  affiliationsOfReferrer,
  applyReferral,
  findReferrer,
  type ReferralRefusal,
} from './affiliations.ts';
export { type Batch, openBatch, runReferralBatches } from './batches.ts';
export {
  type CodeRefusal,
  checkReferralCode,
  codeOfRow,
  createReferralCode,
  hasReferralCodes,
  listReferralCodes,
  REFERRAL_CODES_PER_USER_MAX,
  type ReferralCode,
} from './codes.ts';
export {
  accrualOf,
  accrualsOfReferrer,
  type PayoutRefusal,
  payoutOf,
  payoutsOfReferrer,
  readUnrealized,
  requestPayout,
  type Unrealized,
} from './payouts.ts';
export { createReferralCodeFor, REFERRAL_ACTS } from './referral-acts.ts';
export { type ReferralSettings, readReferralSettings } from './settings.ts';
export { unpaidAtoms } from './shares.ts';
