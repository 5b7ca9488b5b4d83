// The client: what a program needs to trade on a Rialto exchange, in Node and in browsers. Imports
// nothing from the rest of the repository, so that it can be published by itself.

export type { Backoff } from './backoff.ts';
export type { Book, BookOptions } from './followed-book.ts';
export type { Following, FollowOptions } from './following.ts';
export type { Level } from './level-book.ts';
export type { AccountMessage, PrivateNews, PrivateOptions, Trouble } from './private-news.ts';
export type {
  CallOptions,
  ClientOptions,
  CommonOptions,
  DecimalForm,
  DecimalOf,
} from './rest-caller.ts';
export * from './rialto-client.generated.ts';
export * from './rialto-error.ts';
export * from './rialto-stream.ts';
export type { Credentials } from './signer.ts';
export type { StreamStatus, StreamTimings } from './stream-link.ts';
export type * from './wire.generated.ts';
