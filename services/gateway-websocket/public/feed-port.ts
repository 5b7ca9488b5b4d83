// What public topics ask of the network: to hear what is published, and the last value of a
// subject. NATS implements it, and tests do.

import type { Watch } from '../../../infra/bus/index.ts';

export interface FeedMessage {
  readonly subject: string;
  /** The last frame that is in it. */
  readonly frame: number;
  /** The first and the last trade in it, if it is of trades. */
  readonly trades: string;
  /** JSON, as the publisher made it. */
  readonly text: string;
}

export interface FeedPort {
  /** A star stands for one word. */
  listen(subject: string, receive: (message: FeedMessage) => void): Watch;
  /** none: the stream has none. fault: it could not be asked. */
  last(subject: string): Promise<FeedMessage | 'none' | 'fault'>;
  /** Calls back when messages may have been missed. */
  watchReturns(returned: () => void): Watch;
}
