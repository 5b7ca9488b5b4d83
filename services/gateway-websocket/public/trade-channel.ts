// One market's trades: first the last 50, then each batch of new ones, once. The last value, which
// follows the batches, reveals missed trades. Subscribers get missed trades as new ones, or the
// last 50 again if more than that were missed.

import type { Watch } from '../../../infra/bus/index.ts';
import type { Clock } from '../../../infra/process/index.ts';
import type { Frame } from '../frame.ts';
import type { ChannelSubscription } from '../topic.ts';
import { marketFrame } from './envelope.ts';
import type { FeedMessage } from './feed-port.ts';
import type { MarketChannel } from './market-topic.ts';
import { SubscribedValue } from './subscribed-value.ts';
import type { ChannelOptions } from './value-channel.ts';

const TRADES_KEPT = 50;

/** unread: no value yet, batches are buffered. read: subscribers have everything known. */
export class TradeChannel implements MarketChannel {
  readonly #symbol: string;
  readonly #clock: Clock;
  readonly #subscribers = new Set<ChannelSubscription>();
  readonly #subscription: Watch;
  readonly #value: SubscribedValue;
  /** JSON of each trade, newest first; undefined before the first value. */
  #trades: readonly string[] | undefined;
  /** All trades up to this frame are included, or were. */
  #frame = 0;
  /** True if all trades in that frame are known, not only those up to `#lastTrade`. */
  #isFrameComplete = false;
  #lastTrade = 0;
  #early: FeedMessage[] = [];
  #partial: Frame | undefined;

  constructor({ clock, feed, feedPrefix, livePrefix, symbol }: ChannelOptions) {
    this.#symbol = symbol;
    this.#clock = clock;
    // Subscribe before reading, to lose no batch between the two.
    this.#subscription = feed.listen(`${livePrefix}.trades.${symbol}`, (batch) =>
      this.#onMessage(batch),
    );
    this.#value = new SubscribedValue({
      feed,
      clock,
      subject: `${feedPrefix}.trades.${symbol}`,
      onValue: (value) => this.#compare(value),
    });
  }

  subscribe(subscription: ChannelSubscription): void {
    this.#subscribers.add(subscription);
    this.refresh(subscription);
  }

  unsubscribe(subscription: ChannelSubscription): void {
    this.#subscribers.delete(subscription);
  }

  refresh(subscription: ChannelSubscription): void {
    if (this.#trades === undefined) return;
    this.#partial ??= this.#frameOf('partial', `[${this.#trades.join(',')}]`);
    subscription.send(this.#partial);
  }

  close(): void {
    this.#value.close();
    this.#subscription.stop();
  }

  #compare({ frame, text }: FeedMessage): void {
    const isFirst = this.#trades === undefined;
    if (!isFirst && frame < this.#frame) return;
    this.#frame = frame;
    this.#isFrameComplete = true;
    if (isFirst || `[${this.#trades?.join(',')}]` !== text) {
      const trades = splitTrades(text);
      const missed = this.#trades && missedTrades(this.#trades, trades);
      this.#trades = trades;
      this.#partial = undefined;
      if (missed === undefined) {
        for (const subscriber of this.#subscribers) this.refresh(subscriber);
      } else this.#insert(`[${missed.join(',')}]`);
    }
    const early = this.#early;
    this.#early = [];
    for (const batch of early) this.#onMessage(batch);
  }

  #onMessage(batch: FeedMessage): void {
    if (this.#trades === undefined) {
      // The value being read contains more trades than this.
      if (this.#early.length < TRADES_KEPT) this.#early.push(batch);
      return;
    }
    const { frame, text } = batch;
    const last = Number(batch.trades.slice(batch.trades.indexOf('-') + 1));
    if (frame < this.#frame) return;
    if (frame === this.#frame && (this.#isFrameComplete || last <= this.#lastTrade)) return;
    this.#frame = frame;
    this.#isFrameComplete = false;
    this.#lastTrade = last;
    this.#trades = [...splitTrades(text), ...this.#trades].slice(0, TRADES_KEPT);
    this.#partial = undefined;
    this.#insert(text);
  }

  #insert(text: string): void {
    const frame = this.#frameOf('insert', text);
    for (const subscriber of this.#subscribers) subscriber.send(frame);
  }

  #frameOf(action: 'partial' | 'insert', data: string): Frame {
    const nowMs = this.#clock.nowMs();
    return marketFrame({ topic: 'trade', action, symbol: this.#symbol, data, nowMs });
  }
}

// A trade is a flat object without braces in its strings, so its JSON is split without parsing and
// every number keeps its digits.
function splitTrades(text: string): string[] {
  if (text === '[]') return [];
  return text
    .slice(2, -2)
    .split('},{')
    .map((inside) => `{${inside}}`);
}

/**
 * Returns the trades that the older list lacks, or undefined if the newer list does not continue
 * the older one.
 *
 * A batch published just before we subscribed is missing from both the messages and the stored
 * value, because the publisher stores a busy market's last value every 50 ms.
 */
function missedTrades(
  older: readonly string[],
  newer: readonly string[],
): readonly string[] | undefined {
  const isComplete = newer.length < TRADES_KEPT;
  for (let count = 1; count <= newer.length; count += 1) {
    const rest = newer.slice(count);
    const isContinued = isComplete ? rest.length === older.length : rest.length <= older.length;
    const hasRest = rest.length > 0 || older.length === 0;
    if (isContinued && hasRest && rest.every((trade, at) => trade === older[at])) {
      return newer.slice(0, count);
    }
  }
  return undefined;
}
