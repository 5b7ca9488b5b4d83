// Prices of all coins in one channel: first all of them, then each change.

import type { Clock, Timer } from '../../../infra/process/index.ts';
import type { ChannelSubscription, Topic } from '../topic.ts';
import { priceFrame, pricesFrame } from './envelope.ts';
import type { FeedPort } from './feed-port.ts';
import { RefCountedMap } from './ref-counted-map.ts';
import { SubscribedValue } from './subscribed-value.ts';

export interface PriceTopicOptions {
  readonly feed: FeedPort;
  readonly clock: Clock;
  readonly feedPrefix: string;
  readonly graceMs: number;
  /** Symbols of all listed coins. */
  coins(): Iterable<string>;
}

const CHANNEL = 'price';
const NEW_COINS_EVERY_MS = 5_000;

export class PriceTopic implements Topic {
  readonly audience = 'anyone';
  readonly weight = 1;
  readonly #open: RefCountedMap<Prices>;

  constructor(options: PriceTopicOptions) {
    const { clock, graceMs } = options;
    this.#open = new RefCountedMap({ clock, graceMs, open: () => new Prices(options) });
  }

  /** A symbol after the topic is ignored. */
  channels(): ReturnType<Topic['channels']> {
    return [{ name: CHANNEL, symbol: undefined }];
  }

  subscribe(subscription: ChannelSubscription): void {
    this.#open.acquire(CHANNEL).subscribe(subscription);
  }

  unsubscribe(subscription: ChannelSubscription): void {
    this.#open.get(CHANNEL)?.unsubscribe(subscription);
    this.#open.release(CHANNEL);
  }

  refresh(subscription: ChannelSubscription): void {
    this.#open.get(CHANNEL)?.refresh(subscription);
  }

  close(): void {
    this.#open.closeAll();
  }
}

/** reading ──every coin was read──▶ read: new subscribers get all prices, others the changes. */
class Prices {
  readonly #options: PriceTopicOptions;
  readonly #subscribers = new Set<ChannelSubscription>();
  readonly #coins = new Map<string, SubscribedValue>();
  readonly #prices = new Map<string, string>();
  #isRead = false;
  #timer: Timer | undefined;

  constructor(options: PriceTopicOptions) {
    this.#options = options;
    this.#subscribeToNewCoins();
  }

  subscribe(subscription: ChannelSubscription): void {
    this.#subscribers.add(subscription);
    this.refresh(subscription);
  }

  unsubscribe(subscription: ChannelSubscription): void {
    this.#subscribers.delete(subscription);
  }

  refresh(subscription: ChannelSubscription): void {
    if (!this.#isRead) return;
    subscription.send(pricesFrame(this.#prices, this.#options.clock.nowMs()));
  }

  close(): void {
    this.#timer?.cancel();
    for (const value of this.#coins.values()) value.close();
  }

  #subscribeToNewCoins(): void {
    const { clock, coins, feed, feedPrefix } = this.#options;
    for (const coin of coins()) {
      if (this.#coins.has(coin)) continue;
      const value = new SubscribedValue({
        feed,
        clock,
        subject: `${feedPrefix}.price.${coin}`,
        onValue: ({ text }) => this.#change(coin, text),
        onRead: () => this.#beginWhenRead(),
      });
      this.#coins.set(coin, value);
    }
    this.#timer = clock.after(NEW_COINS_EVERY_MS, () => this.#subscribeToNewCoins());
  }

  #change(coin: string, text: string): void {
    this.#prices.set(coin, text);
    if (!this.#isRead) return;
    const frame = priceFrame(coin, text, this.#options.clock.nowMs());
    for (const subscriber of this.#subscribers) subscriber.send(frame);
  }

  #beginWhenRead(): void {
    if (this.#isRead || [...this.#coins.values()].some(({ isRead }) => !isRead)) return;
    this.#isRead = true;
    for (const subscriber of this.#subscribers) this.refresh(subscriber);
  }
}
