// Transfers: requests to deposit or withdraw, their limits, and the outbox that carries their
// commands to the engine exactly once. Never decides whether the money is there.

export {
  cancelDepositRequest,
  completeDepositRequest,
  type DepositCanceled,
  type DepositWish,
  requestDeposit,
  requestTransfer,
} from './deposit-requests.ts';
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
  countQuery,
  filterValues,
  findRequest,
  listDepositRequests,
  listWithdrawalRequests,
  markRequest,
  pageQuery,
  type RequestFilter,
  type RequestMarks,
  type RequestRow,
  requestOf,
} from './request-lists.ts';
export { type VerdictInput, withdrawalVerdict } from './withdrawal-limits.ts';
export {
  cancelWithdrawalRequest,
  completeWithdrawalRequest,
  openWithdrawalRequest,
  type RequestChange,
  type RequestedAsset,
  type RequestRefusal,
  requestBurn,
  type WithdrawalWish,
} from './withdrawal-requests.ts';
export { readVerdictInput } from './withdrawal-verdict-input.ts';
