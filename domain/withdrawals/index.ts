// Withdrawals of people: requested with a second factor, confirmed by mail, reviewed and claimed by
// operators, or cancelled and expired before that. Never decides whether a balance is sufficient.

export {
  type ConfirmationRefusal,
  confirmWithdrawal,
  type WithdrawalConfirmation,
  type WithdrawalConfirmed,
} from './confirm-withdrawal.ts';
export { expireWithdrawal, listWithdrawalsToExpire } from './expire.ts';
export {
  requestWithdrawal,
  type WantedWithdrawal,
  type WithdrawalPorts,
  type WithdrawalRequested,
} from './request-withdrawal.ts';
export {
  APPROVAL_POWER,
  type Approver,
  approveIn,
  approveWithdrawal,
  type Claim,
  cancelWithdrawal,
  claimIn,
  claimWithdrawal,
  completeIn,
  completeWithdrawal,
  endIn,
  endWithdrawal,
  type Operator,
  type Reviewed,
  type ReviewRefusal,
  releaseIn,
  releaseWithdrawal,
} from './review.ts';
export type { WithdrawalTerms } from './terms.ts';
