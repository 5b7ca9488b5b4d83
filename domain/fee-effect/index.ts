// The effect of other trading fees on the last 30 days: daily sums of fees, and the fees of these
// trades at proposed rates.

export { closeFeeDay, EFFECT_DAYS } from './fee-days.ts';
export { type FeeEffect, type FeeSum, feeEffects, type ProposedFees } from './fee-effect.ts';
export { type FeeWindow, readFeeWindow, type UsersOfTier } from './fee-window.ts';
