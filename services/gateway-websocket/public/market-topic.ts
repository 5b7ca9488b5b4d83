// A topic with one channel per market. A channel is opened for its first subscriber.

import type { Clock } from '../../../infra/process/index.ts';
import { streamTexts } from '../../../protocol/index.ts';
import type { ChannelSubscription, Topic } from '../topic.ts';
import { RefCountedMap } from './ref-counted-map.ts';

export interface MarketChannel {
  subscribe(subscription: ChannelSubscription): void;
  unsubscribe(subscription: ChannelSubscription): void;
  refresh(subscription: ChannelSubscription): void;
  close(): void;
}

export interface MarketTopicOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly graceMs: number;
  readonly weight: number;
  /** All listed markets, in listing order. */
  markets(): ReadonlyMap<string, unknown>;
  open(symbol: string): MarketChannel;
}

export class MarketTopic implements Topic {
  readonly audience = 'anyone';
  readonly weight: number;
  readonly #options: MarketTopicOptions;
  readonly #channels: RefCountedMap<MarketChannel>;

  constructor(options: MarketTopicOptions) {
    this.#options = options;
    this.weight = options.weight;
    const { clock, graceMs, open } = options;
    this.#channels = new RefCountedMap({ clock, graceMs, open });
  }

  /** Number of channels with a subscriber, now or within the grace period. */
  get openCount(): number {
    return this.#channels.size;
  }

  channels(symbol: string | undefined): ReturnType<Topic['channels']> {
    const { markets, name } = this.#options;
    const channel = (market: string) => ({ name: `${name}:${market}`, symbol: market });
    if (symbol === undefined) return [...markets().keys()].map(channel);
    return markets().has(symbol) ? [channel(symbol)] : { error: streamTexts.symbolInvalid };
  }

  subscribe(subscription: ChannelSubscription): void {
    this.#channels.acquire(subscription.symbol!).subscribe(subscription);
  }

  unsubscribe(subscription: ChannelSubscription): void {
    this.#channels.get(subscription.symbol!)?.unsubscribe(subscription);
    this.#channels.release(subscription.symbol!);
  }

  refresh(subscription: ChannelSubscription): void {
    this.#channels.get(subscription.symbol!)?.refresh(subscription);
  }

  close(): void {
    this.#channels.closeAll();
  }
}
