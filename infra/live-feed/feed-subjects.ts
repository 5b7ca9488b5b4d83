// The names of the live feed on NATS: streams, subjects and headers, shared by the publisher and
// its readers.

/** The last frame included in a payload. */
export const FRAME_HEADER = 'Rialto-Frame';
/** The first and the last trade included in a payload. */
export const TRADE_HEADER = 'Rialto-Trade';
/** The payload contains the changes after this frame. */
export const PREVIOUS_HEADER = 'Rialto-Previous';
/** The part of a long answer and the number of parts: `1/3`. */
export const PART_HEADER = 'Rialto-Part';

export interface FeedSubjects {
  readonly stream: string;
  readonly stateStream: string;
  /** The prefix of last values: `…book.btc-usdt`. */
  readonly feed: string;
  /** The prefix of messages that are published once: `…trades.btc-usdt`. */
  readonly live: string;
  /** The prefix of requests to the publisher: `…depth.btc-usdt`. */
  readonly ask: string;
  readonly private: string;
  readonly state: string;
}

export function feedSubjects(exchange: string): FeedSubjects {
  return {
    stream: `${exchange.toUpperCase()}_FEED`,
    stateStream: `${exchange.toUpperCase()}_FEED_STATE`,
    feed: `${exchange}.feed`,
    live: `${exchange}.live`,
    ask: `${exchange}.ask`,
    private: `${exchange}.private`,
    state: `${exchange}.feed-state`,
  };
}

/** How long the stream of user events keeps them, so reconnecting clients can resume. */
export const PRIVATE_STREAM_KEEPS_MS = 600_000;

export function privateStreamName(exchange: string): string {
  return `${exchange.toUpperCase()}_PRIVATE`;
}
