// All public data of the exchange in a gateway's memory: subscribes first, then reads the stream
// once, and again after every reconnect. Requests of callers never cause a network request.

import type { Msg, Subscription } from '@nats-io/transport-node';
import { type Nats, raiseBug, type Watch } from '../bus/index.ts';
import type { Clock, Logger, Timer } from '../process/index.ts';
import type { Depth } from './depth.ts';
import { type FeedSubjects, FRAME_HEADER, feedSubjects } from './feed-subjects.ts';
import {
  type FeedKind,
  type FeedUpdate,
  type FeedValue,
  FeedValues,
  parseName,
} from './feed-values.ts';
import { StreamReading } from './stream-reading.ts';

export interface FeedChange {
  readonly kind: FeedKind;
  readonly symbol: string;
  readonly value: FeedValue;
}

export interface LiveFeedOptions {
  readonly nats: Nats;
  readonly exchange: string;
  readonly clock: Clock;
  readonly log?: Logger;
  /** Called after each change, in the order of arrival. */
  readonly onChange?: (change: FeedChange) => void;
  /** The stream is read again at this interval, even without a known fault. */
  readonly readAgainAfterMs?: number;
}

// Between two servers of a cluster, messages may be lost unnoticed by both clients.
const READ_AGAIN_AFTER_MS = 60_000;
const RETRY_AFTER_MS = 200;

/**
 * idle:    not started, or closed.
 * reading: the stream is read, repeatedly until a read completes.
 * live:    the values are the newest, except for messages in flight.
 * lost:    disconnected. The values are those of the moment of the disconnect.
 */
export class LiveFeed {
  readonly #options: LiveFeedOptions;
  readonly #subjects: FeedSubjects;
  readonly #values = new FeedValues();
  readonly #started = Promise.withResolvers<void>();
  #subscription: Subscription | undefined;
  #watch: Watch | undefined;
  #reading: StreamReading | undefined;
  #timer: Timer | undefined;
  #isLive = false;

  constructor(options: LiveFeedOptions) {
    this.#options = options;
    this.#subjects = feedSubjects(options.exchange);
  }

  /** False before the first completed read, and from a disconnect until the next completed read. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /**
   * Resolves when everything has been read once. Waits until the publisher has created the stream.
   */
  start(): Promise<void> {
    if (this.#subscription !== undefined) return this.#started.promise;
    const { nats } = this.#options;
    this.#subscription = nats.client.subscribe(`${this.#subjects.feed}.>`, {
      callback: (fault, message) => this.#onMessage(fault, message),
    });
    this.#watch = nats.watch((isConnected) => {
      this.#isLive = false;
      this.#endReading();
      if (isConnected) this.#read();
    });
    if (nats.isConnected) this.#read();
    return this.#started.promise;
  }

  close(): void {
    this.#isLive = false;
    this.#watch?.stop();
    this.#endReading();
    if (!this.#options.nats.client.isClosed()) this.#subscription?.unsubscribe();
  }

  get(kind: FeedKind, symbol: string): FeedValue | undefined {
    return this.#values.get(kind, symbol);
  }

  /** By symbol. A live view: it changes as values arrive. */
  all(kind: FeedKind): ReadonlyMap<string, FeedValue> {
    return this.#values.all(kind);
  }

  /** The levels as decimal strings of prices and sizes; parsed once for each value. */
  levelsOf(kind: 'book' | 'depth', symbol: string): Depth | undefined {
    return this.#values.levelsOf(kind, symbol);
  }

  #read(): void {
    const { clock, nats } = this.#options;
    this.#values.beginReading();
    this.#reading = new StreamReading({
      nats,
      clock,
      stream: this.#subjects.stream,
      filter: `${this.#subjects.feed}.>`,
      receive: (message) => this.#take(message, (update) => this.#values.applyStored(update)),
      done: (isComplete) => this.#onRead(isComplete),
    });
  }

  #onRead(isComplete: boolean): void {
    const { clock, log, readAgainAfterMs = READ_AGAIN_AFTER_MS } = this.#options;
    this.#reading = undefined;
    if (isComplete && !this.#isLive) {
      this.#isLive = true;
      log?.info('live feed synced');
      this.#started.resolve();
    }
    const afterMs = isComplete ? readAgainAfterMs : RETRY_AFTER_MS;
    this.#timer = clock.after(afterMs, () => this.#read());
  }

  #endReading(): void {
    this.#timer?.cancel();
    this.#reading?.stop();
    this.#reading = undefined;
  }

  #onMessage(fault: Error | null, message: Msg): void {
    try {
      if (fault !== null) throw fault;
      this.#take(message, (update) => this.#values.applyPublished(update));
    } catch (bug) {
      this.close();
      raiseBug(bug);
    }
  }

  #take(message: Msg, put: (update: FeedUpdate) => boolean): void {
    const frame = Number(message.headers?.get(FRAME_HEADER) || Number.NaN);
    // Not from the publisher, which sets the frame of every message.
    if (!Number.isSafeInteger(frame)) return;
    const name = message.subject.slice(this.#subjects.feed.length + 1);
    const isChanged = put({ name, frame, text: message.string() });
    if (!isChanged || this.#options.onChange === undefined) return;
    const { kind, symbol } = parseName(name);
    const value = this.#values.get(kind, symbol);
    if (value !== undefined) this.#options.onChange({ kind, symbol, value });
  }
}
