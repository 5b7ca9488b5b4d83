// Transfers: requests to deposit or withdraw, their states and limits, and the outbox that carries
// their commands to the engine exactly once. Never decides whether a balance is sufficient.

export {
  cancelDepositRequest,
  completeDepositRequest,
  type DepositRequest,
  requestDeposit,
  requestTransfer,
  type StartedTransfer,
  startTransfer,
} from './deposit-requests.ts';
export { type AccountKind, type LockedFamily, lockFamily } from './family.ts';
export { NOTICE_TOPICS, type NoticeTopicName, noticeSubject } from './notice-subjects.ts';
export {
  appendToOutbox,
  type ChannelCommand,
  markSent,
  OUTBOX_CHANNELS,
  type OutboxCommand,
  type OutboxOutcome,
  type OutboxPosition,
  type OutboxRow,
  readWaiting,
  toCommand,
} from './outbox.ts';
export { encodeOutcome, OutboxOutcomes, outboxSubjects } from './outbox-outcomes.ts';
export { outcomeOf, type Settled, SettledTwice, settleOutbox } from './outbox-settle.ts';
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
export { type VerdictInput, withdrawalVerdict } from './withdrawal-limits.ts';
export {
  openWithdrawalRequest,
  type RequestedAsset,
  requestBurn,
  type WithdrawalRequest,
} from './withdrawal-requests.ts';
export { WITHDRAWALS, type WithdrawalMove, type WithdrawalState } from './withdrawal-states.ts';
export { readVerdictInput } from './withdrawal-verdict-input.ts';
