// How the live feed is called on NATS: its streams, subjects and headers. The publisher and those
// who listen to it must agree on them, so that they stand here once.

/** The last frame that is in a payload. */
export const FRAME_HEADER = 'Rialto-Frame';
/** The first and the last trade that are in a payload. */
export const TRADE_HEADER = 'Rialto-Trade';
/** What changed behind this frame is in a payload. */
export const PREVIOUS_HEADER = 'Rialto-Previous';
/** Which part of a long answer a payload is, and how many there are: `1/3`. */
export const PART_HEADER = 'Rialto-Part';

export interface FeedSubjects {
  readonly stream: string;
  readonly stateStream: string;
  /** Of last values: `…book.btc-usdt`. */
  readonly feed: string;
  /** Of what goes out once: `…trades.btc-usdt`. */
  readonly live: string;
  /** Of what gateways ask of the publisher: `…depth.btc-usdt`. */
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
