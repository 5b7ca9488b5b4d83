// Limits the weight of each caller's requests with buckets that refill over time. Each gateway
// counts separately and publishes its usage, so a limit holds across all gateways, give or take the
// usage between two messages. It must never forget an empty bucket.

import type { Bus, Subscription } from '../../infra/bus/index.ts';
import { TokenBucket, type TokenBucketSize } from '../../infra/limits/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';

/** `failure` counts wrong credentials, by address, or by address and key for a key that exists. */
export const BUCKET_KINDS = ['address', 'user', 'cancel', 'failure'] as const;
export type BucketKind = (typeof BUCKET_KINDS)[number];

export interface RateLimiterOptions {
  readonly sizes: Readonly<Record<BucketKind, TokenBucketSize>>;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly exchange: string;
  /** Unique for each gateway, to ignore its own messages. */
  readonly instance: string;
  readonly publishEveryMs: number;
  /** Limit on buckets of one kind; above it, full ones are dropped. */
  readonly bucketsMax: number;
}

export interface RateLimitResult {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full again, and until a retry can succeed. */
  readonly resetS: number;
  readonly retryAfterS: number;
}

type UsageMessage = {
  readonly from: string;
  readonly used: Record<string, [who: string, w: number][]>;
};

export const RATE_LIMITER_DEFAULTS = { publishEveryMs: 100, bucketsMax: 100_000 };

export class RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #buckets: Record<BucketKind, Map<string, TokenBucket>> = {
    address: new Map(),
    user: new Map(),
    cancel: new Map(),
    failure: new Map(),
  };
  readonly #used: Record<BucketKind, Map<string, number>> = {
    address: new Map(),
    user: new Map(),
    cancel: new Map(),
    failure: new Map(),
  };
  readonly #subject: string;
  readonly #subscription: Subscription;
  #publishing: Timer | undefined;

  constructor(options: RateLimiterOptions) {
    this.#options = options;
    this.#subject = `${options.exchange}.budgets`;
    this.#subscription = options.bus.subscribe(this.#subject, (message) => this.#onUsage(message));
  }

  /** Uses the weight, or nothing if the bucket does not have enough. */
  take(kind: BucketKind, who: string, weight: number): RateLimitResult {
    const nowMs = this.#options.clock.elapsedMs();
    const bucket = this.#bucket(kind, who, nowMs);
    // A weight above the bucket's size needs a full bucket.
    const isAllowed = bucket.leftAt(nowMs) >= Math.min(weight, this.#options.sizes[kind].burst);
    bucket.use(isAllowed ? weight : 0, nowMs);
    if (isAllowed) this.#noteUsed(kind, who, weight);
    return this.#result(kind, bucket.leftAt(nowMs), isAllowed ? undefined : weight);
  }

  /** Uses the weight unconditionally, down to a debt of one bucket. */
  charge(kind: BucketKind, who: string, weight: number): RateLimitResult {
    const nowMs = this.#options.clock.elapsedMs();
    const bucket = this.#bucket(kind, who, nowMs);
    const wasEmpty = bucket.leftAt(nowMs) < weight;
    bucket.use(weight, nowMs, this.#options.sizes[kind].burst);
    this.#noteUsed(kind, who, weight);
    return this.#result(kind, bucket.leftAt(nowMs), wasEmpty ? weight : undefined);
  }

  /** Returns the result that refuses this weight, or undefined if there is enough. Uses nothing. */
  refusalOf(kind: BucketKind, who: string, weight: number): RateLimitResult | undefined {
    const left = this.#buckets[kind].get(who)?.leftAt(this.#options.clock.elapsedMs());
    return left === undefined || left >= weight ? undefined : this.#result(kind, left, weight);
  }

  stop(): void {
    this.#subscription.stop();
    this.#publishing?.cancel();
  }

  #bucket(kind: BucketKind, who: string, nowMs: number): TokenBucket {
    const buckets = this.#buckets[kind];
    let bucket = buckets.get(who);
    if (bucket === undefined) {
      if (buckets.size >= this.#options.bucketsMax) this.#forgetFull(kind, nowMs);
      bucket = new TokenBucket(this.#options.sizes[kind], nowMs);
      buckets.set(who, bucket);
    }
    return bucket;
  }

  /**
   * Drops full buckets, which hold no information. If none is full, drops the least recently used.
   */
  #forgetFull(kind: BucketKind, nowMs: number): void {
    const buckets = this.#buckets[kind];
    let oldest: string | undefined;
    let oldestMs = Number.POSITIVE_INFINITY;
    for (const [who, bucket] of buckets) {
      if (bucket.isFull(nowMs)) buckets.delete(who);
      else if (bucket.usedAtMs < oldestMs) [oldest, oldestMs] = [who, bucket.usedAtMs];
    }
    if (buckets.size >= this.#options.bucketsMax && oldest !== undefined) buckets.delete(oldest);
  }

  #result(kind: BucketKind, left: number, refusedWeight: number | undefined): RateLimitResult {
    const { burst, perSecond } = this.#options.sizes[kind];
    const lacking = refusedWeight === undefined ? 0 : Math.min(refusedWeight, burst) - left;
    return {
      isAllowed: refusedWeight === undefined,
      limit: burst,
      remaining: Math.max(0, Math.floor(left)),
      resetS: Math.ceil((burst - left) / perSecond),
      retryAfterS: Math.ceil(lacking / perSecond),
    };
  }

  #noteUsed(kind: BucketKind, who: string, weight: number): void {
    const used = this.#used[kind];
    used.set(who, (used.get(who) ?? 0) + weight);
    this.#publishing ??= this.#options.clock.after(this.#options.publishEveryMs, () =>
      this.#publishUsage(),
    );
  }

  #publishUsage(): void {
    this.#publishing = undefined;
    const usage: UsageMessage = { from: this.#options.instance, used: {} };
    for (const kind of BUCKET_KINDS) {
      usage.used[kind] = [...this.#used[kind]];
      this.#used[kind].clear();
    }
    this.#options.bus.publish(this.#subject, Buffer.from(JSON.stringify(usage)));
  }

  // Ignores messages that it cannot parse, for example from a later release.
  #onUsage(message: Uint8Array): void {
    const usage = readUsage(message);
    if (usage === undefined || usage.from === this.#options.instance) return;
    const nowMs = this.#options.clock.elapsedMs();
    for (const kind of BUCKET_KINDS) {
      const used = usage.used[kind];
      if (!Array.isArray(used)) continue;
      for (const [who, weight] of used) {
        if (typeof who !== 'string' || !Number.isFinite(weight)) continue;
        this.#bucket(kind, who, nowMs).use(weight, nowMs, this.#options.sizes[kind].burst);
      }
    }
  }
}

function readUsage(message: Uint8Array): UsageMessage | undefined {
  try {
    const usage = JSON.parse(Buffer.from(message).toString());
    return typeof usage?.used === 'object' && usage.used !== null ? usage : undefined;
  } catch {
    return undefined;
  }
}
