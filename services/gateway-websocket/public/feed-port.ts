// Port through which public topics use the network: published messages, and the last value of a
// subject. Implemented by NATS and by a fake in tests.

import type { Watch } from '../../../infra/bus/index.ts';

export interface FeedMessage {
  readonly subject: string;
  /** Last frame included. */
  readonly frame: number;
  /** First and last trade included, for messages with trades. */
  readonly trades: string;
  /** JSON from the publisher, verbatim. */
  readonly text: string;
}

export interface FeedPort {
  /** `*` matches one token. */
  listen(subject: string, receive: (message: FeedMessage) => void): Watch;
  /** none: the stream has no value. fault: the request failed. */
  last(subject: string): Promise<FeedMessage | 'none' | 'fault'>;
  /** Calls back when messages might have been missed. */
  watchReturns(returned: () => void): Watch;
}
