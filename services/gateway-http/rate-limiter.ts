// How much each caller may ask for: buckets of weight that refill with time. Each gateway counts
// for itself and tells the others what was used, so that a limit holds over all of them, with an
// error of what can be used between two such messages. Must never forget that a bucket is empty.

import { isIPv6 } from 'node:net';
import type { Bus, Subscription } from '../../infra/bus/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';

export const BUCKET_KINDS = ['address', 'user', 'cancel'] as const;
export type BucketKind = (typeof BUCKET_KINDS)[number];

export interface BucketSize {
  /** What may be used at once. */
  readonly burst: number;
  readonly perSecond: number;
}

export interface RateLimiterOptions {
  readonly sizes: Readonly<Record<BucketKind, BucketSize>>;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly exchange: string;
  /** Different for each gateway, to recognise its own messages. */
  readonly instance: string;
  readonly publishEveryMs: number;
  /** Buckets of one kind; beyond it, those that have refilled are forgotten. */
  readonly bucketsMax: number;
}

export interface RateLimitResult {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full again, and until this could be asked again. */
  readonly resetS: number;
  readonly retryAfterS: number;
}

interface Bucket {
  level: number;
  atMs: number;
}

type UsageMessage = {
  readonly from: string;
  readonly used: Record<string, [who: string, w: number][]>;
};

export const RATE_LIMITER_DEFAULTS = { publishEveryMs: 100, bucketsMax: 100_000 };

export class RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #buckets: Record<BucketKind, Map<string, Bucket>> = {
    address: new Map(),
    user: new Map(),
    cancel: new Map(),
  };
  readonly #used: Record<BucketKind, Map<string, number>> = {
    address: new Map(),
    user: new Map(),
    cancel: new Map(),
  };
  readonly #subject: string;
  readonly #subscription: Subscription;
  #publishing: Timer | undefined;

  constructor(options: RateLimiterOptions) {
    this.#options = options;
    this.#subject = `${options.exchange}.budgets`;
    this.#subscription = options.bus.subscribe(this.#subject, (message) => this.#onUsage(message));
  }

  /** Uses the weight, or nothing when the bucket does not have it. */
  take(kind: BucketKind, who: string, weight: number): RateLimitResult {
    const { burst } = this.#options.sizes[kind];
    const bucket = this.#bucket(kind, who);
    // What is heavier than a whole bucket needs a full one.
    const isAllowed = bucket.level >= Math.min(weight, burst);
    if (isAllowed) {
      bucket.level -= weight;
      this.#noteUsed(kind, who, weight);
    }
    return this.#result(kind, bucket, isAllowed ? undefined : weight);
  }

  /** Uses the weight whether it is there or not, down to an empty bucket's worth of debt. */
  charge(kind: BucketKind, who: string, weight: number): RateLimitResult {
    const bucket = this.#bucket(kind, who);
    const wasEmpty = bucket.level < weight;
    bucket.level = Math.max(bucket.level - weight, -this.#options.sizes[kind].burst);
    this.#noteUsed(kind, who, weight);
    return this.#result(kind, bucket, wasEmpty ? weight : undefined);
  }

  stop(): void {
    this.#subscription.stop();
    this.#publishing?.cancel();
  }

  #bucket(kind: BucketKind, who: string): Bucket {
    const { burst, perSecond } = this.#options.sizes[kind];
    const nowMs = this.#options.clock.elapsedMs();
    const buckets = this.#buckets[kind];
    let bucket = buckets.get(who);
    if (bucket === undefined) {
      if (buckets.size >= this.#options.bucketsMax) this.#forgetFull(kind, nowMs);
      bucket = { level: burst, atMs: nowMs };
      buckets.set(who, bucket);
      return bucket;
    }
    const refill = ((nowMs - bucket.atMs) / 1_000) * perSecond;
    bucket.level = Math.min(burst, bucket.level + refill);
    bucket.atMs = nowMs;
    return bucket;
  }

  /** A full bucket says nothing. If none is full, the one that was used longest ago has to go. */
  #forgetFull(kind: BucketKind, nowMs: number): void {
    const { burst, perSecond } = this.#options.sizes[kind];
    const buckets = this.#buckets[kind];
    let oldest: string | undefined;
    let oldestMs = Number.POSITIVE_INFINITY;
    for (const [who, { atMs, level }] of buckets) {
      if (level + ((nowMs - atMs) / 1_000) * perSecond >= burst) buckets.delete(who);
      else if (atMs < oldestMs) [oldest, oldestMs] = [who, atMs];
    }
    if (buckets.size >= this.#options.bucketsMax && oldest !== undefined) buckets.delete(oldest);
  }

  #result(kind: BucketKind, { level }: Bucket, refusedWeight: number | undefined): RateLimitResult {
    const { burst, perSecond } = this.#options.sizes[kind];
    const lacking = refusedWeight === undefined ? 0 : Math.min(refusedWeight, burst) - level;
    return {
      isAllowed: refusedWeight === undefined,
      limit: burst,
      remaining: Math.max(0, Math.floor(level)),
      resetS: Math.ceil((burst - level) / perSecond),
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

  // What is not understood, perhaps of a later release, is not counted; it must end no process.
  #onUsage(message: Uint8Array): void {
    const usage = readUsage(message);
    if (usage === undefined || usage.from === this.#options.instance) return;
    for (const kind of BUCKET_KINDS) {
      const used = usage.used[kind];
      if (!Array.isArray(used)) continue;
      for (const [who, weight] of used) {
        if (typeof who !== 'string' || !Number.isFinite(weight)) continue;
        const bucket = this.#bucket(kind, who);
        bucket.level = Math.max(bucket.level - weight, -this.#options.sizes[kind].burst);
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

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** Of the eight groups of an address, those that say whose network it is. */
const NETWORK_GROUPS = 4;

/** Whose budget an address has: of IPv6, a subscriber has a network of 64 bits to himself. */
export function addressBucketKey(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head, tail] = address.toLowerCase().split('%', 1)[0].split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    while (groups.length + after.length < 8) groups.push('0');
    groups.push(...after);
  }
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}
