// One market's last value: its best ten levels, or its auction. Every message is complete, so the
// newest one is enough for any subscriber.

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
  /** Prefix of last values: `rialto.feed`. */
  readonly feedPrefix: string;
  /** Prefix of messages that are published once: `rialto.live`. */
  readonly livePrefix: string;
  readonly symbol: string;
}

/** Topic name for clients, and the name of its values in the feed. */
export interface ValueTopic {
  readonly topic: 'orderbook' | 'auction';
  readonly kind: 'book' | 'auction';
}

export class ValueChannel implements MarketChannel {
  readonly #subscribers = new Set<ChannelSubscription>();
  readonly #value: SubscribedValue;
  #frame: Frame | undefined;

  constructor({ clock, feed, feedPrefix, kind, symbol, topic }: ChannelOptions & ValueTopic) {
    this.#value = new SubscribedValue({
      feed,
      clock,
      subject: `${feedPrefix}.${kind}.${symbol}`,
      onValue: ({ text: data }) => {
        const nowMs = clock.nowMs();
        const frame = marketFrame({ topic, action: 'partial', symbol, data, nowMs });
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
