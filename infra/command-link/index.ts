// Command link: the protocol between gateways and sequencers, and the gateway's end of it. It knows
// commands and events as messages, not what they do, and decides nothing about money.

export { type Batch, type BatchHeader, BatchWriter, decodeBatch } from './batch.ts';
export { COMMAND_CLIENT_DEFAULTS, CommandClient, type Outcome } from './command-client.ts';
export type { LinkAddress } from './handshake.ts';
export {
  decodeHandOver,
  decodeLeaderHeartbeat,
  decodeStandbyHeartbeat,
  encodeHeartbeat,
  type HandOver,
  type LeaderHeartbeat,
  type LeaderState,
  type Poison,
  type StandbyHeartbeat,
} from './heartbeats.ts';
export { LinkServer, type LinkServerOptions } from './link-server.ts';
export { openCommandClient } from './open-command-client.ts';
export {
  type BatchRefusal,
  type CommandResult,
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
