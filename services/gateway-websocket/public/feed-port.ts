// The port through which public topics use the network: published messages, and the last value of a
// subject. NATS implements it, and a fake in tests.

import type { Watch } from '../../../infra/bus/index.ts';

export interface FeedMessage {
  readonly subject: string;
  /** The last frame included. */
  readonly frame: number;
  /** The first and the last trade included, for messages with trades. */
  readonly trades: string;
  /** JSON from the publisher, verbatim. */
  readonly text: string;
}

export interface FeedPort {
  /** `*` matches one token. */
  listen(subject: string, receive: (message: FeedMessage) => void): Watch;
  /** none: the stream has no value. fault: the request failed. */
  last(subject: string): Promise<FeedMessage | 'none' | 'fault'>;
  /** Calls back when messages may have been missed. */
  watchReturns(returned: () => void): Watch;
}
