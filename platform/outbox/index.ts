// The outbox: commands that wait for the engine in the database, each sent until it has an
// outcome, and the outcomes.

export {
  appendEngineCommand,
  type EngineCommand,
  type EngineCommandOutcome,
  type EngineCommandRow,
  engineCommandSubject,
  markAttempted,
  readEngineCommand,
  readWaitingEngineCommands,
  type SettledEngineCommand,
  settleEngineCommand,
} from './engine-commands.ts';
export { NOTICE_TOPICS, noticeSubject, operatorNoticeSubject } from './notice-subjects.ts';
export {
  appendToOutbox,
  type ChannelCommand,
  type CommandOutcome,
  columnsOf,
  markSent,
  OUTBOX_CHANNELS,
  type OutboxCommand,
  type OutboxOutcome,
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
export { encodeOutcome, OutboxOutcomes, outboxSubjects } from './outbox-outcomes.ts';
export { countsAsAccepted, listedBy, withListed } from './repetition.ts';
export { readUnprojectedCommands } from './unprojected.ts';
