// One market's best ten levels: every message is the whole of them, so that the newest is enough
// for everybody, whenever they come.

import type { Clock } from '../../../infra/process/index.ts';
import type { Frame } from '../frame.ts';
import type { Following } from '../topic.ts';
import { marketFrame } from './envelope.ts';
import type { FeedPort } from './feed-port.ts';
import { FollowedValue } from './followed-value.ts';
import type { MarketChannel } from './market-topic.ts';

export interface ChannelOptions {
  readonly feed: FeedPort;
  readonly clock: Clock;
  /** Of last values: `rialto.feed`. */
  readonly feedPrefix: string;
  /** Of what goes out once: `rialto.live`. */
  readonly livePrefix: string;
  readonly symbol: string;
}

export class BookChannel implements MarketChannel {
  readonly #followers = new Set<Following>();
  readonly #value: FollowedValue;
  #frame: Frame | undefined;

  constructor({ clock, feed, feedPrefix, symbol }: ChannelOptions) {
    this.#value = new FollowedValue({
      feed,
      clock,
      subject: `${feedPrefix}.book.${symbol}`,
      onValue: ({ text: data }) => {
        const nowMs = clock.nowMs();
        const frame = marketFrame({ topic: 'orderbook', action: 'partial', symbol, data, nowMs });
        this.#frame = frame;
        for (const follower of this.#followers) follower.send(frame);
      },
    });
  }

  follow(following: Following): void {
    this.#followers.add(following);
    this.refresh(following);
  }

  unfollow(following: Following): void {
    this.#followers.delete(following);
  }

  /** Before the first value there is nothing to send; it goes to all when it comes. */
  refresh(following: Following): void {
    if (this.#frame !== undefined) following.send(this.#frame);
  }

  close(): void {
    this.#value.close();
  }
}
