// The best ten levels of one market. Every message contains all of them, so the newest message is
// enough for any subscriber.

import type { Clock } from '../../../infra/process/index.ts';
import type { Frame } from '../frame.ts';
import type { ChannelSubscription } from '../topic.ts';
import { marketFrame } from './envelope.ts';
import type { FeedPort } from './feed-port.ts';
import type { MarketChannel } from './market-topic.ts';
import { SubscribedValue } from './subscribed-value.ts';

export interface ChannelOptions {
  readonly feed: FeedPort;
  readonly clock: Clock;
  /** The prefix of last values: `rialto.feed`. */
  readonly feedPrefix: string;
  /** The prefix of messages that are published once: `rialto.live`. */
  readonly livePrefix: string;
  readonly symbol: string;
}

export class BookChannel implements MarketChannel {
  readonly #subscribers = new Set<ChannelSubscription>();
  readonly #value: SubscribedValue;
  #frame: Frame | undefined;

  constructor({ clock, feed, feedPrefix, symbol }: ChannelOptions) {
    this.#value = new SubscribedValue({
      feed,
      clock,
      subject: `${feedPrefix}.book.${symbol}`,
      onValue: ({ text: data }) => {
        const nowMs = clock.nowMs();
        const frame = marketFrame({ topic: 'orderbook', action: 'partial', symbol, data, nowMs });
        this.#frame = frame;
        for (const subscriber of this.#subscribers) subscriber.send(frame);
      },
    });
  }

  subscribe(subscription: ChannelSubscription): void {
    this.#subscribers.add(subscription);
    this.refresh(subscription);
  }

  unsubscribe(subscription: ChannelSubscription): void {
    this.#subscribers.delete(subscription);
  }

  /** Before the first value there is nothing to send; the value goes to all subscribers. */
  refresh(subscription: ChannelSubscription): void {
    if (this.#frame !== undefined) subscription.send(this.#frame);
  }

  close(): void {
    this.#value.close();
  }
}
