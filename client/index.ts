// The client: REST calls and the stream of a Rialto exchange, for Node and browsers. It imports
// nothing from the rest of the repository, because it is published on its own.

export type {
  AccountMessage,
  AccountOptions,
  StreamFault,
  UserEvents,
} from './account-subscriber.ts';
export type { Backoff } from './backoff.ts';
export type { Book, BookOptions } from './book-subscriber.ts';
export { type CallName, calls } from './calls.generated.ts';
export type { Level } from './level-book.ts';
export {
  findPublicationConflicts,
  type LiabilityDocument,
  type LiabilityExpectations,
  type LiabilityFinding,
  type LiabilityProblem,
  type LiabilityProofFile,
  type LiabilityResult,
  openLiabilityDocument,
  type PublicationConflict,
  verifyLiabilityProof,
} from './liability-proof.ts';
export type {
  CallOptions,
  ClientOptions,
  CommonOptions,
  DecimalForm,
  DecimalOf,
} from './rest-caller.ts';
export { type FileQueries, RialtoClient } from './rialto-client.generated.ts';
export { RialtoError, type RialtoErrorOptions } from './rialto-error.ts';
export { RialtoStream, type StreamOptions, type Topic } from './rialto-stream.ts';
export type { Credentials } from './signer.ts';
export type { StreamStatus, StreamTimings } from './stream-connection.ts';
export type { SubscribeOptions, Subscription } from './subscription.ts';
export type * from './wire.generated.ts';
