// Withdrawals of people: requested with a second factor, confirmed by mail, reviewed and claimed by
// operators, or cancelled and expired before that. Never decides whether a balance is sufficient.

export {
  approveWithdrawal,
  cancelWithdrawal,
  claimWithdrawal,
  completeWithdrawal,
  endWithdrawal,
  type Operator,
  type Reviewed,
  type ReviewRefusal,
  releaseWithdrawal,
} from './review.ts';
