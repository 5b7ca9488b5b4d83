// The price of every coin in one channel: all of them first, then each that changes.

import type { Clock, Timer } from '../../../infra/process/index.ts';
import type { Following, Topic } from '../topic.ts';
import { priceFrame, pricesFrame } from './envelope.ts';
import type { FeedPort } from './feed-port.ts';
import { FollowedValue } from './followed-value.ts';
import { KeptWhileFollowed } from './kept-while-followed.ts';

export interface PriceTopicOptions {
  readonly feed: FeedPort;
  readonly clock: Clock;
  readonly feedPrefix: string;
  readonly graceMs: number;
  /** Of every coin that is listed. */
  coins(): Iterable<string>;
}

const CHANNEL = 'price';
const LOOK_FOR_COINS_EVERY_MS = 5_000;

export class PriceTopic implements Topic {
  readonly audience = 'anyone';
  readonly #kept: KeptWhileFollowed<Prices>;

  constructor(options: PriceTopicOptions) {
    const { clock, graceMs } = options;
    this.#kept = new KeptWhileFollowed({ clock, graceMs, open: () => new Prices(options) });
  }

  /** A symbol behind the topic changes nothing. */
  channels(): ReturnType<Topic['channels']> {
    return [{ name: CHANNEL, symbol: undefined }];
  }

  follow(following: Following): void {
    this.#kept.acquire(CHANNEL).follow(following);
  }

  unfollow(following: Following): void {
    this.#kept.get(CHANNEL)?.unfollow(following);
    this.#kept.release(CHANNEL);
  }

  refresh(following: Following): void {
    this.#kept.get(CHANNEL)?.refresh(following);
  }

  close(): void {
    this.#kept.closeAll();
  }
}

/** reading ──every coin was asked for──▶ read: newcomers get all prices, others the changes. */
class Prices {
  readonly #options: PriceTopicOptions;
  readonly #followers = new Set<Following>();
  readonly #coins = new Map<string, FollowedValue>();
  readonly #prices = new Map<string, string>();
  #isRead = false;
  #timer: Timer | undefined;

  constructor(options: PriceTopicOptions) {
    this.#options = options;
    this.#lookForCoins();
  }

  follow(following: Following): void {
    this.#followers.add(following);
    this.refresh(following);
  }

  unfollow(following: Following): void {
    this.#followers.delete(following);
  }

  refresh(following: Following): void {
    if (!this.#isRead) return;
    following.send(pricesFrame(this.#prices, this.#options.clock.nowMs()));
  }

  close(): void {
    this.#timer?.cancel();
    for (const value of this.#coins.values()) value.close();
  }

  #lookForCoins(): void {
    const { clock, coins, feed, feedPrefix } = this.#options;
    for (const coin of coins()) {
      if (this.#coins.has(coin)) continue;
      const value = new FollowedValue({
        feed,
        clock,
        subject: `${feedPrefix}.price.${coin}`,
        onValue: ({ text }) => this.#change(coin, text),
        onRead: () => this.#beginWhenRead(),
      });
      this.#coins.set(coin, value);
    }
    this.#timer = clock.after(LOOK_FOR_COINS_EVERY_MS, () => this.#lookForCoins());
  }

  #change(coin: string, text: string): void {
    this.#prices.set(coin, text);
    if (!this.#isRead) return;
    const frame = priceFrame(coin, text, this.#options.clock.nowMs());
    for (const follower of this.#followers) follower.send(frame);
  }

  #beginWhenRead(): void {
    if (this.#isRead || [...this.#coins.values()].some(({ isRead }) => !isRead)) return;
    this.#isRead = true;
    for (const follower of this.#followers) this.refresh(follower);
  }
}
