// Payments: deposits and withdrawals, their states, policy, addresses and banks. Never decides
// whether a balance is sufficient.

export type { AddressIssuer, DepositTerms, WantedAddress } from './addresses/deposit-addresses.ts';
export {
  addManualAddress,
  countFreeAddresses,
  findUserOfMemo,
  listManualAddresses,
  type ManualAddressRefusal,
  manualAddresses,
  removeManualAddress,
} from './addresses/manual-addresses.ts';
export { EMAIL_NETWORK, parseDestination } from './addresses/parse-destination.ts';
export type { VerificationStatus } from './api/bank-account.ts';
export {
  accountOf,
  type BankAccount,
  listBankAccounts,
  listUsersWithPendingBanks,
} from './banks/bank-accounts.ts';
export {
  listedDetailOf,
  listPaymentDetails,
  listUsersWithPendingPayments,
  type PaymentDetail,
  paymentDetailList,
  reviewPaymentDetail,
} from './banks/payment-details.ts';
export { causeOf } from './causes.ts';
export {
  type ChainDeposit,
  type ChainMove,
  dropChainDeposit,
  moveChainDeposit,
} from './deposits/chain-deposits.ts';
export { givenAtoms, type PlayMoney, readPlayMoney } from './deposits/play-money.ts';
export { addDepositRequest, requestDeposit, startTransfer } from './deposits/requests.ts';
export { DEPOSITS } from './deposits/states.ts';
export { isSameFamily, lockFamilies, lockFamily } from './family.ts';
export { mailChanges } from './mails/mail-changes.ts';
export {
  DEFAULT_POLICY_SETTINGS,
  describePolicySettings,
  type PolicySettings,
  readPolicyCurrency,
  readPolicySettings,
} from './policy/policy-settings.ts';
export { describeCeiling, listCeilings, readCeiling } from './policy/withdrawal-ceilings.ts';
export { reviewsOf } from './policy/withdrawal-policy.ts';
export { runPolicyAgain } from './policy/withdrawal-policy-input.ts';
export {
  judgeSize,
  type RequestedWithdrawal,
  readSignedWithdrawals,
  type UnusualParameters,
  type WithdrawalRules,
} from './policy/withdrawal-signs.ts';
export {
  type RebuildContext,
  type Rebuilt,
  rebuildClaim,
  rebuildRequests,
} from './rebuild-requests.ts';
export { hasOpenRequests, listCancellableWithdrawals } from './request-lists.ts';
export { reviewUnsentCredit, settleRequests } from './settle-requests.ts';
export {
  markChangesPublished,
  readUnpublishedChanges,
  statusOf,
  type TransferChange,
} from './transfer-changes.ts';
export { cancelUnclaimedWithdrawal } from './withdrawals/cancel-withdrawal.ts';
export { isSignatureUsed, LOST_ADDRESS, type RequestedAsset } from './withdrawals/requests.ts';
export { WITHDRAWALS } from './withdrawals/states.ts';
