// What goes out once, on its way: private news and new trades. It is kept until the servers have
// answered behind it, and sent again after a lost connection: some come twice, none is left out.

import type { Clock, Timer } from '../../infra/process/index.ts';
import type { Feed, FeedHeaders } from './feed-port.ts';

export interface OutboxOptions {
  readonly feed: Feed;
  readonly clock: Clock;
  readonly retryMs: number;
  /** All that was said up to this message of EVENTS has been taken. */
  onConfirmed(message: number): void;
}

// Nobody waits for a confirmation but the cursor, which is written every second: one answers for
// all that was said in this time, instead of one for every frame.
const ASK_EVERY_MS = 50;

type Said = {
  readonly subject: string;
  readonly payload: string;
  readonly headers?: FeedHeaders | undefined;
};

export class Outbox {
  readonly #options: OutboxOptions;
  /** Not confirmed, oldest first. */
  #waiting: Said[] = [];
  #waitingBytes = 0;
  /** The last message of EVENTS of which everything was handed over, and was confirmed. */
  #handedOver: number;
  #confirmed: number;
  #isAsking = false;
  #askedMs = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;
  /** Answers from before a loss of connection mean nothing. */
  #round = 0;

  constructor(options: OutboxOptions, confirmed: number) {
    this.#options = options;
    this.#handedOver = confirmed;
    this.#confirmed = confirmed;
    options.feed.watch((isConnected) => {
      this.#round += 1;
      this.#isAsking = false;
      if (isConnected) this.#sayAgain();
    });
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  get confirmed(): number {
    return this.#confirmed;
  }

  say(subject: string, payload: string, headers?: FeedHeaders): void {
    this.#waiting.push({ subject, payload, headers });
    this.#waitingBytes += payload.length;
    if (this.#options.feed.isConnected) this.#options.feed.say(subject, payload, headers);
  }

  /** Everything up to this message of EVENTS has been said. */
  handOver(message: number): void {
    this.#handedOver = message;
    this.#ask();
  }

  #ask(): void {
    const { clock, feed, retryMs } = this.#options;
    if (this.#isAsking || this.#confirmed === this.#handedOver || !feed.isConnected) return;
    const nowMs = clock.elapsedMs();
    const waitMs = this.#askedMs + ASK_EVERY_MS - nowMs;
    if (waitMs > 0) {
      this.#timer ??= clock.after(waitMs, () => {
        this.#timer = undefined;
        this.#ask();
      });
      return;
    }
    this.#isAsking = true;
    this.#askedMs = nowMs;
    const [round, count, message] = [this.#round, this.#waiting.length, this.#handedOver];
    feed.confirm((isTaken) => {
      if (round !== this.#round) return;
      this.#isAsking = false;
      if (isTaken) this.#confirm(count, message);
      // While there is a connection, everything said is still on its way.
      else clock.after(retryMs, () => this.#ask());
    });
  }

  #confirm(count: number, message: number): void {
    for (let at = 0; at < count; at += 1) this.#waitingBytes -= this.#waiting[at].payload.length;
    this.#waiting = this.#waiting.slice(count);
    this.#confirmed = message;
    this.#options.onConfirmed(message);
    this.#ask();
  }

  #sayAgain(): void {
    const { feed } = this.#options;
    for (const { headers, payload, subject } of this.#waiting) {
      feed.say(subject, payload, headers);
    }
    this.#ask();
  }
}
