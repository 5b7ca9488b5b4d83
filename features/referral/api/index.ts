// Wire definitions for referral: routes, schemas and errors.

export { Affiliation, ReferralCode, ReferralEarning, ReferralPayout } from './referral.ts';
export { referralErrors } from './referral-errors.ts';
export { ReferralCodeIn, referralRoutes } from './referral-routes.ts';
