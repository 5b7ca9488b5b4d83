// A topic with a channel for each market. What a channel does is its own business; it is opened for
// the first who follows it.

import type { Clock } from '../../../infra/process/index.ts';
import { streamTexts } from '../../../protocol/index.ts';
import type { Following, Topic } from '../topic.ts';
import { KeptWhileFollowed } from './kept-while-followed.ts';

export interface MarketChannel {
  follow(following: Following): void;
  unfollow(following: Following): void;
  refresh(following: Following): void;
  close(): void;
}

export interface MarketTopicOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly graceMs: number;
  /** Of every market that is listed, in their order. */
  markets(): ReadonlyMap<string, unknown>;
  open(symbol: string): MarketChannel;
}

export class MarketTopic implements Topic {
  readonly audience = 'anyone';
  readonly #options: MarketTopicOptions;
  readonly #channels: KeptWhileFollowed<MarketChannel>;

  constructor(options: MarketTopicOptions) {
    this.#options = options;
    const { clock, graceMs, open } = options;
    this.#channels = new KeptWhileFollowed({ clock, graceMs, open });
  }

  /** How many are followed, or were a moment ago. */
  get openCount(): number {
    return this.#channels.size;
  }

  channels(symbol: string | undefined): ReturnType<Topic['channels']> {
    const { markets, name } = this.#options;
    const channel = (market: string) => ({ name: `${name}:${market}`, symbol: market });
    if (symbol === undefined) return [...markets().keys()].map(channel);
    return markets().has(symbol) ? [channel(symbol)] : { error: streamTexts.symbolInvalid };
  }

  follow(following: Following): void {
    this.#channels.acquire(following.symbol!).follow(following);
  }

  unfollow(following: Following): void {
    this.#channels.get(following.symbol!)?.unfollow(following);
    this.#channels.release(following.symbol!);
  }

  refresh(following: Following): void {
    this.#channels.get(following.symbol!)?.refresh(following);
  }

  close(): void {
    this.#channels.closeAll();
  }
}
