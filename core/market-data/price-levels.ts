// One side of a book as the public sees it: prices with the total that rests at each, best first.

import type { Lots, Ticks } from '../money/index.ts';
import { assert } from '../structures/index.ts';

export interface PriceLevel {
  readonly priceTicks: Ticks;
  /** A sum of lots may exceed the safe integers. */
  readonly totalLots: bigint;
}

export class PriceLevels {
  /** The best is at the end, where most changes are. Ranks ascend. */
  readonly #ranks: number[] = [];
  readonly #totals = new Map<number, bigint>();
  readonly #bestIsHighest: boolean;

  constructor(side: 'bids' | 'asks') {
    this.#bestIsHighest = side === 'bids';
  }

  get count(): number {
    return this.#ranks.length;
  }

  add(priceTicks: Ticks, lots: Lots): void {
    const total = this.#totals.get(priceTicks);
    this.#totals.set(priceTicks, (total ?? 0n) + BigInt(lots));
    if (total === undefined)
      this.#ranks.splice(this.#placeOf(priceTicks), 0, this.#rank(priceTicks));
  }

  take(priceTicks: Ticks, lots: Lots): void {
    const rest = (this.#totals.get(priceTicks) ?? 0n) - BigInt(lots);
    assert(rest >= 0n, 'no more leaves a price than rests there');
    if (rest > 0n) {
      this.#totals.set(priceTicks, rest);
      return;
    }
    this.#totals.delete(priceTicks);
    this.#ranks.splice(this.#placeOf(priceTicks), 1);
  }

  /** The best `count` levels, best first. */
  top(count: number): PriceLevel[] {
    const levels: PriceLevel[] = [];
    const worst = Math.max(this.#ranks.length - count, 0);
    for (let place = this.#ranks.length - 1; place >= worst; place -= 1) {
      const priceTicks = Math.abs(this.#ranks[place]) as Ticks;
      levels.push({ priceTicks, totalLots: this.#totals.get(priceTicks) ?? 0n });
    }
    return levels;
  }

  #rank(priceTicks: Ticks): number {
    return this.#bestIsHighest ? priceTicks : -priceTicks;
  }

  /** Where the price is, or where it belongs. */
  #placeOf(priceTicks: Ticks): number {
    const rank = this.#rank(priceTicks);
    let [low, high] = [0, this.#ranks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ranks[middle] < rank) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
