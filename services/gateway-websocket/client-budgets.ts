// Limits the work that one client can request from this gateway across all its sockets: messages,
// their bytes, and channels. A client is a user, or an address for unauthenticated sockets. Drops
// budgets once they are full again.

import type { Caller } from '../../features/auth/index.ts';
import { TokenBucket, type TokenBucketSize } from '../../infra/limits/index.ts';
import type { Clock } from '../../infra/process/index.ts';

export interface ClientBudgetSizes {
  readonly messages: TokenBucketSize;
  readonly bytes: TokenBucketSize;
  readonly channels: TokenBucketSize;
}

export interface ClientBudget {
  /** User, or address for unauthenticated sockets. */
  readonly client: string;
  /** Charged before the message is parsed. */
  takeMessage(bytes: number): boolean;
  /** Charged before any of the channels is looked up or sent. */
  takeChannels(weight: number): boolean;
}

export interface ClientBudgetsOptions {
  readonly clock: Clock;
  readonly sizes: ClientBudgetSizes;
}

export class ClientBudgets {
  readonly #options: ClientBudgetsOptions;
  readonly #known = new Map<string, Buckets>();

  constructor(options: ClientBudgetsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#known.size;
  }

  /**
   * Unauthenticated sockets share the budget of `addressGroup`. Returns the same budget while any
   * of it is used, so reconnecting does not grant a new one.
   */
  of(addressGroup: string, caller: Caller | undefined): ClientBudget {
    const name = caller === undefined ? addressGroup : `user ${caller.user}`;
    const { clock, sizes } = this.#options;
    const find = (nowMs: number): Buckets => {
      let buckets = this.#known.get(name);
      if (buckets === undefined) {
        buckets = new Buckets(sizes, nowMs);
        this.#known.set(name, buckets);
      }
      return buckets;
    };
    return {
      client: name,
      takeMessage(bytes) {
        const nowMs = clock.elapsedMs();
        return find(nowMs).takeMessage(bytes, nowMs);
      },
      takeChannels(weight) {
        const nowMs = clock.elapsedMs();
        return find(nowMs).channels.take(weight, nowMs);
      },
    };
  }

  /** Called periodically. */
  forgetFull(): void {
    const nowMs = this.#options.clock.elapsedMs();
    for (const [name, buckets] of this.#known) {
      if (buckets.isFull(nowMs)) this.#known.delete(name);
    }
  }
}

class Buckets {
  readonly channels: TokenBucket;
  readonly #messages: TokenBucket;
  readonly #bytes: TokenBucket;

  constructor({ bytes, channels, messages }: ClientBudgetSizes, nowMs: number) {
    this.channels = new TokenBucket(channels, nowMs);
    this.#messages = new TokenBucket(messages, nowMs);
    this.#bytes = new TokenBucket(bytes, nowMs);
  }

  takeMessage(bytes: number, nowMs: number): boolean {
    return this.#messages.take(1, nowMs) && this.#bytes.take(bytes, nowMs);
  }

  isFull(nowMs: number): boolean {
    return [this.channels, this.#messages, this.#bytes].every((bucket) => bucket.isFull(nowMs));
  }
}
