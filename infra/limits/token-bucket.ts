// A budget that refills over time. A cost may exceed the remainder: the debt is repaid before
// anything else is granted, so a single large request is possible and a series of them is not.

export interface TokenBucketSize {
  /** Maximum cost in a burst. */
  readonly burst: number;
  readonly perSecond: number;
}

export class TokenBucket {
  readonly #size: TokenBucketSize;
  /** The remainder at `#usedAtMs`; below zero for a debt. */
  #left: number;
  #usedAtMs: number;

  constructor(size: TokenBucketSize, nowMs: number) {
    this.#size = size;
    this.#left = size.burst;
    this.#usedAtMs = nowMs;
  }

  get usedAtMs(): number {
    return this.#usedAtMs;
  }

  leftAt(nowMs: number): number {
    const { burst, perSecond } = this.#size;
    return Math.min(burst, this.#left + ((nowMs - this.#usedAtMs) / 1_000) * perSecond);
  }

  isFull(nowMs: number): boolean {
    return this.leftAt(nowMs) >= this.#size.burst;
  }

  /** Uses the cost unconditionally, down to the largest debt. */
  use(cost: number, nowMs: number, debtMax = Number.POSITIVE_INFINITY): void {
    this.#left = Math.max(this.leftAt(nowMs) - cost, -debtMax);
    this.#usedAtMs = nowMs;
  }

  /** Uses the cost if anything is left. */
  take(cost: number, nowMs: number): boolean {
    if (this.leftAt(nowMs) <= 0) return false;
    this.use(cost, nowMs);
    return true;
  }
}
