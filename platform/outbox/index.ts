// The outbox: commands that wait for the engine in the database, each sent until it has an
// outcome, and the outcomes.

export {
  type EngineCommand,
  type EngineCommandRow,
  markAttempted,
  readWaitingEngineCommands,
  type SettledEngineCommand,
  settleEngineCommand,
  voidEngineCommand,
} from './engine-commands.ts';
export { type CommandName, enqueue, namingCommands, type Ticket } from './enqueue.ts';
export { NOTICE_TOPICS, noticeSubject, operatorNoticeSubject } from './notice-subjects.ts';
export {
  type ChannelCommand,
  type CommandOutcome,
  columnsOf,
  decodeRecord,
  type EngineOutcome,
  encodeRecord,
  markSent,
  OUTBOX_CHANNELS,
  type OutboxCommand,
  type OutboxPosition,
  type OutboxRequests,
  type OutboxRow,
  type OutboxWriter,
  readWaiting,
  toCommand,
  VOIDED_ROW_COMMAND,
  type VoidedRow,
  voidRow,
  type WaitingRow,
} from './outbox.ts';
export {
  encodeOutcome,
  type OutboxOutcome,
  OutboxOutcomes,
  outboxSubjects,
} from './outbox-outcomes.ts';
export {
  appendCopy,
  raiseChannel,
  readKnownOutcomes,
  readMissingRows,
  writeLoggedRow,
} from './rebuild-outbox.ts';
export {
  blockRegistry,
  claimStatement,
  confirmTerm,
  isStatement,
  openTerm,
  passFence,
  type RegistryTerm,
} from './registry-term.ts';
export { countsAsAccepted, listedBy, withListed } from './repetition.ts';
export {
  type Settled,
  SettledTwice,
  type SettleHooks,
  settleOutbox,
  settleOutboxIn,
} from './settle-outbox.ts';
export { readUnprojectedCommands } from './unprojected.ts';
