// How much each caller may ask for: buckets of weight that refill with time. Each gateway counts
// for itself and tells the others what was used, so that a limit holds over all of them, with an
// error of what can be used between two such messages. Must never forget that a bucket is empty.

import { isIPv6 } from 'node:net';
import type { Bus, Subscription } from '../../infra/bus/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';

export const BUDGET_KINDS = ['address', 'user', 'cancel'] as const;
export type BudgetKind = (typeof BUDGET_KINDS)[number];

export interface BudgetSize {
  /** What may be used at once. */
  readonly burst: number;
  readonly perSecond: number;
}

export interface BudgetsOptions {
  readonly sizes: Readonly<Record<BudgetKind, BudgetSize>>;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly exchange: string;
  /** Different for each gateway, to recognise its own messages. */
  readonly instance: string;
  readonly tellEveryMs: number;
  /** Buckets of one kind; beyond it, those that have refilled are forgotten. */
  readonly bucketsMax: number;
}

export interface Verdict {
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

type Told = { readonly from: string; readonly used: Record<string, [who: string, w: number][]> };

export const BUDGETS_DEFAULTS = { tellEveryMs: 100, bucketsMax: 100_000 };

export class Budgets {
  readonly #options: BudgetsOptions;
  readonly #buckets: Record<BudgetKind, Map<string, Bucket>> = {
    address: new Map(),
    user: new Map(),
    cancel: new Map(),
  };
  readonly #used: Record<BudgetKind, Map<string, number>> = {
    address: new Map(),
    user: new Map(),
    cancel: new Map(),
  };
  readonly #subject: string;
  readonly #subscription: Subscription;
  #telling: Timer | undefined;

  constructor(options: BudgetsOptions) {
    this.#options = options;
    this.#subject = `${options.exchange}.budgets`;
    this.#subscription = options.bus.subscribe(this.#subject, (message) => this.#hear(message));
  }

  /** Uses the weight, or nothing when the bucket does not have it. */
  take(kind: BudgetKind, who: string, weight: number): Verdict {
    const { burst } = this.#options.sizes[kind];
    const bucket = this.#bucket(kind, who);
    // What is heavier than a whole bucket needs a full one.
    const isAllowed = bucket.level >= Math.min(weight, burst);
    if (isAllowed) {
      bucket.level -= weight;
      this.#noteUsed(kind, who, weight);
    }
    return this.#verdict(kind, bucket, isAllowed ? undefined : weight);
  }

  /** Uses the weight whether it is there or not, down to an empty bucket's worth of debt. */
  charge(kind: BudgetKind, who: string, weight: number): Verdict {
    const bucket = this.#bucket(kind, who);
    const wasEmpty = bucket.level < weight;
    bucket.level = Math.max(bucket.level - weight, -this.#options.sizes[kind].burst);
    this.#noteUsed(kind, who, weight);
    return this.#verdict(kind, bucket, wasEmpty ? weight : undefined);
  }

  stop(): void {
    this.#subscription.stop();
    this.#telling?.cancel();
  }

  #bucket(kind: BudgetKind, who: string): Bucket {
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
  #forgetFull(kind: BudgetKind, nowMs: number): void {
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

  #verdict(kind: BudgetKind, { level }: Bucket, refusedWeight: number | undefined): Verdict {
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

  #noteUsed(kind: BudgetKind, who: string, weight: number): void {
    const used = this.#used[kind];
    used.set(who, (used.get(who) ?? 0) + weight);
    this.#telling ??= this.#options.clock.after(this.#options.tellEveryMs, () => this.#tell());
  }

  #tell(): void {
    this.#telling = undefined;
    const told: Told = { from: this.#options.instance, used: {} };
    for (const kind of BUDGET_KINDS) {
      told.used[kind] = [...this.#used[kind]];
      this.#used[kind].clear();
    }
    this.#options.bus.publish(this.#subject, Buffer.from(JSON.stringify(told)));
  }

  // What is not understood, perhaps of a later release, is not counted; it must end no process.
  #hear(message: Uint8Array): void {
    const told = readTold(message);
    if (told === undefined || told.from === this.#options.instance) return;
    for (const kind of BUDGET_KINDS) {
      const used = told.used[kind];
      if (!Array.isArray(used)) continue;
      for (const [who, weight] of used) {
        if (typeof who !== 'string' || !Number.isFinite(weight)) continue;
        const bucket = this.#bucket(kind, who);
        bucket.level = Math.max(bucket.level - weight, -this.#options.sizes[kind].burst);
      }
    }
  }
}

function readTold(message: Uint8Array): Told | undefined {
  try {
    const told = JSON.parse(Buffer.from(message).toString());
    return typeof told?.used === 'object' && told.used !== null ? told : undefined;
  } catch {
    return undefined;
  }
}

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** Of the eight groups of an address, those that say whose network it is. */
const NETWORK_GROUPS = 4;

/** Whose budget an address has: of IPv6, a subscriber has a network of 64 bits to himself. */
export function budgetAddress(address: string): string {
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
