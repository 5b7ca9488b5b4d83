// Bank accounts and payment details of people, and how operators verify them.

export {
  accountOf as bankAccountOf,
  addBankAccount,
  BANK_ACCOUNTS_MAX,
  type BankAccount,
  type BankFields,
  type BankRefusal,
  type GivenBankAccount,
  listBankAccounts,
  listUsersWithPendingBanks,
  replaceBankAccounts,
  revokeBankAccount,
  verifyBankAccount,
} from './bank-accounts.ts';
export { bankFields, type PaymentTypes } from './bank-fields.ts';
export {
  addPaymentDetail,
  changePaymentDetail,
  insertPaymentDetail,
  listedDetailOf,
  listPaymentDetails,
  listUsersWithPendingPayments,
  PAYMENT_DETAILS_MAX,
  type PaymentDetail,
  type PaymentRefusal,
  paymentDetailList,
  removePaymentDetail,
  reviewPaymentDetail,
  updatePaymentDetail,
} from './payment-details.ts';
export type { VerificationStatus } from './verification.ts';
