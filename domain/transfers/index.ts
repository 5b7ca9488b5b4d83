// Transfers: requests to deposit or withdraw, their states and limits, and the outbox that carries
// their commands to the engine exactly once. Never decides whether a balance is sufficient.

export {
  appendToOutbox,
  type ChannelCommand,
  encodeOutcome,
  markSent,
  NOTICE_TOPICS,
  type NoticeTopicName,
  noticeSubject,
  OUTBOX_CHANNELS,
  type OutboxCommand,
  type OutboxOutcome,
  OutboxOutcomes,
  type OutboxPosition,
  type OutboxRow,
  type OutboxWriter,
  operatorNoticeSubject,
  outboxSubjects,
  readWaiting,
  toCommand,
  VOID_COMMAND,
  type VoidedRow,
  voidRow,
  type WaitingRow,
} from '../../platform/outbox/index.ts';
export { namesTransaction } from './causes.ts';
export {
  addDepositRequest,
  addReceivedTransfer,
  announceDeposit,
  cancelDepositIn,
  cancelDepositRequest,
  changeDepositTransaction,
  changeTransactionIn,
  completeDepositIn,
  completeDepositRequest,
  type DepositCompletion,
  type DepositRequest,
  type DepositRequested,
  type NamedCause,
  requestDeposit,
  requestTransfer,
  type StartedTransfer,
  startTransfer,
} from './deposit-requests.ts';
export { DEPOSITS } from './deposit-states.ts';
export {
  type AccountKind,
  isSameFamily,
  type LockedFamily,
  lockFamilies,
  lockFamily,
} from './family.ts';
export { outcomeOf, type Settled, SettledTwice, settleOutbox } from './outbox-settle.ts';
export {
  DEFAULT_POLICY_SETTINGS,
  describePolicySettings,
  type PolicySettings,
  readPolicyCurrency,
  readPolicySettings,
} from './policy-settings.ts';
export {
  findRequest,
  findRequestIds,
  hasOpenRequests,
  listCancellableWithdrawals,
  markRequest,
  type RequestFilter,
  type RequestMarks,
  type RequestRow,
  type RequestType,
  requestList,
  requestOf,
} from './request-lists.ts';
export {
  beginning,
  type LockedRequest,
  lockRequest,
  moveRequest,
  type RequestChange,
  type RequestName,
  type RequestRefusal,
} from './request-moves.ts';
export {
  CHANGE_COLUMNS,
  CHANGE_REQUESTS,
  changeOf,
  markChangesPublished,
  readUnpublishedChanges,
  statusOf,
  type TransferChange,
  type TransferStatus,
} from './transfer-changes.ts';
export { compare as compareDecimals, decimalOf, decimalText, totalOf } from './valued-amounts.ts';
export {
  describeCeiling,
  listCeilings,
  readCeiling,
  type WithdrawalCeiling,
} from './withdrawal-ceilings.ts';
export {
  FIAT_NETWORK,
  type PolicyDecision,
  type PolicyInput,
  type PolicyLine,
  type PolicyRule,
  type RefusingRule,
  reviewsOf,
  type ToldLine,
  toldLines,
  type WithdrawalProof,
  withdrawalPolicy,
} from './withdrawal-policy.ts';
export { type PolicyRequest, readPolicyInput, runPolicyAgain } from './withdrawal-policy-input.ts';
export {
  addBurnRequest,
  insertWithdrawalRequest,
  isSignatureUsed,
  type NewWithdrawalRequest,
  openCommand,
  openWithdrawalIn,
  openWithdrawalRequest,
  type PolicyRefused,
  type RequestedAsset,
  refusedBy,
  requestBurn,
  type WithdrawalRequest,
} from './withdrawal-requests.ts';
export {
  judgeSize,
  type NewCountryParameters,
  type RequestedWithdrawal,
  readSignedWithdrawals,
  type UnusualParameters,
  type WithdrawalRules,
} from './withdrawal-signs.ts';
export { WITHDRAWALS, type WithdrawalMove, type WithdrawalState } from './withdrawal-states.ts';
