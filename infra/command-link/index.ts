// Command link: the wire between gateways and sequencers, and the gateway's end of it. Knows
// commands and events as messages, not what they do; decides nothing about money.

export { type Batch, type BatchHeader, BatchWriter, decodeBatch } from './batch.ts';
export {
  decodeHandOver,
  decodeLeaderBeat,
  decodeStandbyBeat,
  encodeBeat,
  type HandOver,
  type LeaderBeat,
  type LeaderState,
} from './beats.ts';
export { COMMAND_CLIENT_DEFAULTS, CommandClient, type Outcome } from './command-client.ts';
export type { LinkAddress } from './handshake.ts';
export { LinkServer } from './link-server.ts';
export { openCommandClient } from './open-command-client.ts';
export {
  type CommandResult,
  type DoorRefusal,
  decodeReply,
  encodeBatchRefused,
  eventsOf,
  RESULT_EVENT_BYTES_MAX,
  type ReceivedResult,
  type Results,
  type ResultsHeader,
  ResultsWriter,
} from './results.ts';
export { type LinkSubjects, linkSubjects } from './subjects.ts';
