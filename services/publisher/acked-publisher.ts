// Publishes messages that are sent once: user events and new trades. Keeps them until the servers
// acknowledge them, and publishes them again after a reconnect: some arrive twice, none must be
// lost.

import type { Clock, Timer } from '../../infra/process/index.ts';
import type { Feed, FeedHeaders } from './feed-port.ts';

export interface AckedPublisherOptions {
  readonly feed: Feed;
  readonly clock: Clock;
  readonly retryMs: number;
  /** Called when everything published up to this EVENTS message is acknowledged. */
  onConfirmed(message: number): void;
}

// Only the cursor needs acknowledgments, and it is written every second, so one flush covers this
// interval instead of one per frame.
const ACK_EVERY_MS = 50;

type Unacked = {
  readonly subject: string;
  readonly payload: string;
  readonly headers?: FeedHeaders | undefined;
};

export class AckedPublisher {
  readonly #options: AckedPublisherOptions;
  /** Not acknowledged, oldest first. */
  #unacked: Unacked[] = [];
  #unackedBytes = 0;
  /** Last EVENTS message that is completely published, and the last that is acknowledged. */
  #published: number;
  #confirmed: number;
  #isAwaitingAck = false;
  #requestedMs = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;
  /** Acknowledgments from before a disconnect are ignored. */
  #round = 0;

  constructor(options: AckedPublisherOptions, confirmed: number) {
    this.#options = options;
    this.#published = confirmed;
    this.#confirmed = confirmed;
    options.feed.watch((isConnected) => {
      this.#round += 1;
      this.#isAwaitingAck = false;
      if (isConnected) this.#republish();
    });
  }

  get unackedBytes(): number {
    return this.#unackedBytes;
  }

  get confirmed(): number {
    return this.#confirmed;
  }

  publish(subject: string, payload: string, headers?: FeedHeaders): void {
    this.#unacked.push({ subject, payload, headers });
    this.#unackedBytes += payload.length;
    if (this.#options.feed.isConnected) this.#options.feed.publish(subject, payload, headers);
  }

  /** Called when everything up to this EVENTS message is published. */
  markPublished(message: number): void {
    this.#published = message;
    this.#requestAck();
  }

  #requestAck(): void {
    const { clock, feed, retryMs } = this.#options;
    if (this.#isAwaitingAck || this.#confirmed === this.#published || !feed.isConnected) return;
    const nowMs = clock.elapsedMs();
    const waitMs = this.#requestedMs + ACK_EVERY_MS - nowMs;
    if (waitMs > 0) {
      this.#timer ??= clock.after(waitMs, () => {
        this.#timer = undefined;
        this.#requestAck();
      });
      return;
    }
    this.#isAwaitingAck = true;
    this.#requestedMs = nowMs;
    const [round, count, message] = [this.#round, this.#unacked.length, this.#published];
    feed.flush((isTaken) => {
      if (round !== this.#round) return;
      this.#isAwaitingAck = false;
      if (isTaken) this.#confirm(count, message);
      // While connected, everything published is still in flight.
      else clock.after(retryMs, () => this.#requestAck());
    });
  }

  #confirm(count: number, message: number): void {
    for (let at = 0; at < count; at += 1) this.#unackedBytes -= this.#unacked[at].payload.length;
    this.#unacked = this.#unacked.slice(count);
    this.#confirmed = message;
    this.#options.onConfirmed(message);
    this.#requestAck();
  }

  #republish(): void {
    const { feed } = this.#options;
    for (const { headers, payload, subject } of this.#unacked) {
      feed.publish(subject, payload, headers);
    }
    this.#requestAck();
  }
}
