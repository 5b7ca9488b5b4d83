// Actions of operators in payments.

export {
  createAddressAct,
  replaceBankAccountsAct,
  revokeBankAccountAct,
  verifyBankAccountAct,
} from './banks.ts';
export { type BurnPayload, burnAct } from './burn.ts';
export { type CreditPayload, creditAct } from './credit.ts';
export {
  type Asked,
  type AskedRequest,
  askedAt,
  bytesOf,
  largerOf,
  positionOf,
  requireUsers,
} from './money-terms.ts';
export { type PayOutPayload, payOutAct } from './pay-out.ts';
export {
  addPaymentAct,
  changePaymentAct,
  type PaymentPayload,
  removePaymentAct,
} from './payment-details.ts';
export { type ReviewDepositPayload, reviewDepositAct } from './review-deposit.ts';
export {
  type ReviewStep,
  type ReviewWithdrawalPayload,
  reviewWithdrawalAct,
} from './review-withdrawal.ts';
export { settleFeesAct } from './settle-fees.ts';
export { type TransferPayload, transferAct } from './transfer.ts';
export { cancelWithdrawal } from './withdrawal-review.ts';
