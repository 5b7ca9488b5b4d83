// Signer link: requests to the signer, its answers, the witness's statement, and the Unix socket.
// Knows no keys and decides nothing.

export type {
  EvmFee,
  EvmSlot,
  Fee,
  Intent,
  Part,
  Pay,
  Payment,
  Slot,
  Surplus,
  Sweep,
  TopUp,
  Units,
  Version,
  VoidSlot,
} from './intents.ts';
export { MESSAGE_BYTES_MAX } from './messages.ts';
export {
  type AdoptAnswer,
  type AnswerOf,
  type Approvals,
  type ApprovalsNeededAnswer,
  type Head,
  type JournalAnswer,
  type JournalEntry,
  type JournalRequest,
  type KnownAnswer,
  type KnownRequest,
  type PolicyRequest,
  type RefusedAnswer,
  type RenouncedAnswer,
  type RenounceRequest,
  SIGNER_REFUSALS,
  type SignedAnswer,
  type SignerAnswer,
  type SignerRefusal,
  type SignerRequest,
  type SignRequest,
  type SpentSlot,
  type StatusAnswer,
  type StatusRequest,
  type StopRequest,
} from './protocol.ts';
export { SignerClient, type SignerClientOptions, SignerUnreachable } from './signer-client.ts';
export { type SignerServer, startSignerServer } from './signer-server.ts';
export {
  destinationHash,
  type SignedStatement,
  type Statement,
  statementText,
} from './statement.ts';
export { renounceText, stopText } from './texts.ts';
