// Seeded random numbers for the flows: sfc32, four words of state, the same sequence everywhere.
// The engine has no randomness; these numbers only choose its commands.

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = Math.floor(seed / 2 ** 32) | 0;
    this.#c = 0x9e3779b9 | 0;
    // The first results still correlate with the seed.
    for (let turn = 0; turn < 12; turn += 1) this.word();
  }

  /** Returns 32 random bits, unsigned. */
  word(): number {
    const result = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + result) | 0;
    return result >>> 0;
  }

  /** Returns a number from 0 to `count` - 1. `count` is at most 2^32. */
  below(count: number): number {
    return Math.floor((this.word() / 2 ** 32) * count);
  }

  /** Returns a number from lowest to highest, both included. */
  between(lowest: number, highest: number): number {
    return lowest + this.below(highest - lowest + 1);
  }

  chance(percent: number): boolean {
    return this.word() < percent * (2 ** 32 / 100);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)];
  }
}
