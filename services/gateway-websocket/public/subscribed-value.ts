// Newest value of one feed subject: subscribes first, then reads the last value from the stream,
// and reads again when messages might have been missed.

import type { Watch } from '../../../infra/bus/index.ts';
import type { Clock, Timer } from '../../../infra/process/index.ts';
import type { FeedMessage, FeedPort } from './feed-port.ts';

export interface SubscribedValueOptions {
  readonly feed: FeedPort;
  readonly clock: Clock;
  readonly subject: string;
  /** Called with each newer value. */
  onValue(value: FeedMessage): void;
  /** Called when the first read of the stream has completed, with or without a value. */
  onRead?(): void;
}

const RETRY_AFTER_MS = 300;
// In a cluster, another server might not have our subscription yet, so messages are missed.
const SECOND_READ_AFTER_MS = 1_000;
const READ_AGAIN_AFTER_MS = 60_000;

export class SubscribedValue {
  readonly #options: SubscribedValueOptions;
  readonly #subscription: Watch;
  readonly #returns: Watch;
  #value: FeedMessage | undefined;
  #timer: Timer | undefined;
  #isReading = false;
  #isRead = false;
  #isClosed = false;
  /** True if a message arrived since the current read began. */
  #wasReceived = false;

  constructor(options: SubscribedValueOptions) {
    this.#options = options;
    const { feed, subject } = options;
    this.#subscription = feed.listen(subject, (message) => this.#onMessage(message));
    this.#returns = feed.watchReturns(() => void this.#read());
    void this.#read();
  }

  get value(): FeedMessage | undefined {
    return this.#value;
  }

  get isRead(): boolean {
    return this.#isRead;
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#subscription.stop();
    this.#returns.stop();
  }

  // Within one frame, the later message wins.
  #onMessage(message: FeedMessage): void {
    if (this.#isClosed) return;
    this.#wasReceived = true;
    const known = this.#value;
    if (known !== undefined) {
      if (message.frame < known.frame) return;
      if (message.frame === known.frame && message.text === known.text) return;
    }
    this.#take(message);
  }

  // A message received during the read wins over a stored value of the same frame.
  #find(message: FeedMessage): void {
    const known = this.#value;
    if (known !== undefined) {
      if (message.frame < known.frame) return;
      const isEqual = message.frame === known.frame;
      if (isEqual && (this.#wasReceived || message.text === known.text)) return;
    }
    this.#take(message);
  }

  #take(message: FeedMessage): void {
    this.#value = message;
    this.#options.onValue(message);
  }

  async #read(): Promise<void> {
    if (this.#isReading || this.#isClosed) return;
    this.#timer?.cancel();
    this.#isReading = true;
    this.#wasReceived = false;
    const found = await this.#options.feed.last(this.#options.subject);
    this.#isReading = false;
    if (this.#isClosed) return;
    const isFirst = !this.#isRead && found !== 'fault';
    if (found !== 'fault' && found !== 'none') this.#find(found);
    if (isFirst) {
      this.#isRead = true;
      this.#options.onRead?.();
    }
    const afterMs =
      found === 'fault' ? RETRY_AFTER_MS : isFirst ? SECOND_READ_AFTER_MS : READ_AGAIN_AFTER_MS;
    this.#timer = this.#options.clock.after(afterMs, () => void this.#read());
  }
}
