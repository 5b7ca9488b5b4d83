// A budget that refills over time. A cost may exceed what is left, once: the debt is paid before
// anything else is granted, so a single large request is possible and a series of them is not.

export interface TokenBucketSize {
  readonly burst: number;
  readonly perSecond: number;
}

export class TokenBucket {
  readonly #size: TokenBucketSize;
  /** The remainder at `#atMs`; below zero for a debt. */
  #left: number;
  #atMs: number;

  constructor(size: TokenBucketSize, nowMs: number) {
    this.#size = size;
    this.#left = size.burst;
    this.#atMs = nowMs;
  }

  take(cost: number, nowMs: number): boolean {
    this.#refill(nowMs);
    if (this.#left <= 0) return false;
    this.#left -= cost;
    return true;
  }

  isFull(nowMs: number): boolean {
    this.#refill(nowMs);
    return this.#left >= this.#size.burst;
  }

  #refill(nowMs: number): void {
    const { burst, perSecond } = this.#size;
    this.#left = Math.min(burst, this.#left + ((nowMs - this.#atMs) / 1_000) * perSecond);
    this.#atMs = nowMs;
  }
}
