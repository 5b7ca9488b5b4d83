// How the live feed is called on NATS: its streams, subjects and headers. The publisher and those
// who listen to it must agree on them, so that they stand here once.

/** The last frame that is in a payload. */
export const FRAME_HEADER = 'Rialto-Frame';
/** The first and the last trade that are in a payload. */
export const TRADE_HEADER = 'Rialto-Trade';

export interface FeedSubjects {
  readonly stream: string;
  readonly stateStream: string;
  /** Of last values: `…book.btc-usdt`. */
  readonly feed: string;
  /** Of what goes out once: `…trades.btc-usdt`. */
  readonly live: string;
  readonly private: string;
  readonly state: string;
}

export function feedSubjects(exchange: string): FeedSubjects {
  return {
    stream: `${exchange.toUpperCase()}_FEED`,
    stateStream: `${exchange.toUpperCase()}_FEED_STATE`,
    feed: `${exchange}.feed`,
    live: `${exchange}.live`,
    private: `${exchange}.private`,
    state: `${exchange}.feed-state`,
  };
}
