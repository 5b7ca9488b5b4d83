// Referral: codes, who was referred by whom, referrers' shares of fees, and payouts.

export { affiliationsOfReferrer, applyReferral, findReferrer } from './affiliations.ts';
export { codeOfRow } from './codes.ts';
export { recordLostPayout } from './payouts.ts';
export { readReferralSettings } from './settings.ts';
export { unpaidAtoms } from './shares.ts';
