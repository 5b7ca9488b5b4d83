// One side of a book as the public sees it: prices with the total at each, best first.

import type { Lots, Ticks } from '../money/index.ts';
import { assert } from '../structures/index.ts';

export interface PriceLevel {
  readonly priceTicks: Ticks;
  /** A sum of lots may exceed the safe integers. */
  readonly totalLots: bigint;
}

export class PriceLevels {
  /** The best is at the end, where most changes happen. Ranks ascend. */
  readonly #ranks: number[] = [];
  readonly #totals = new Map<number, bigint>();
  readonly #bestIsHighest: boolean;
  /** Prices whose total may have changed; undefined while not tracked. */
  #touched: Set<Ticks> | undefined;

  constructor(side: 'bids' | 'asks') {
    this.#bestIsHighest = side === 'bids';
  }

  get count(): number {
    return this.#ranks.length;
  }

  /** Starts recording changed prices. */
  track(): void {
    this.#touched ??= new Set();
  }

  untrack(): void {
    this.#touched = undefined;
  }

  /**
   * The current totals of the prices that changed since the last call; 0 means that the price is
   * gone.
   */
  takeChanges(): PriceLevel[] {
    const touched = this.#touched;
    if (touched === undefined || touched.size === 0) return [];
    this.#touched = new Set();
    return Array.from(touched, (priceTicks) => {
      return { priceTicks, totalLots: this.totalAt(priceTicks) };
    });
  }

  totalAt(priceTicks: Ticks): bigint {
    return this.#totals.get(priceTicks) ?? 0n;
  }

  /** Sets the total at a price; 0 removes the price. */
  set(priceTicks: Ticks, totalLots: bigint): void {
    const isKnown = this.#totals.has(priceTicks);
    if (totalLots > 0n) {
      this.#totals.set(priceTicks, totalLots);
      if (!isKnown) this.#ranks.splice(this.#placeOf(priceTicks), 0, this.#rank(priceTicks));
    } else if (isKnown) {
      this.#totals.delete(priceTicks);
      this.#ranks.splice(this.#placeOf(priceTicks), 1);
    }
  }

  add(priceTicks: Ticks, lots: Lots): void {
    this.#touched?.add(priceTicks);
    this.set(priceTicks, this.totalAt(priceTicks) + BigInt(lots));
  }

  take(priceTicks: Ticks, lots: Lots): void {
    this.#touched?.add(priceTicks);
    const rest = this.totalAt(priceTicks) - BigInt(lots);
    assert(rest >= 0n, 'no more leaves a price than rests there');
    this.set(priceTicks, rest);
  }

  /** The best `count` levels, best first. */
  top(count: number): PriceLevel[] {
    return this.#levelsFrom(Math.max(this.#ranks.length - count, 0));
  }

  /** The levels at this price or better, best first. */
  upTo(worstTicks: Ticks): PriceLevel[] {
    return this.#levelsFrom(this.#placeOf(worstTicks));
  }

  #levelsFrom(worst: number): PriceLevel[] {
    const levels: PriceLevel[] = [];
    for (let place = this.#ranks.length - 1; place >= worst; place -= 1) {
      const priceTicks = Math.abs(this.#ranks[place]) as Ticks;
      levels.push({ priceTicks, totalLots: this.totalAt(priceTicks) });
    }
    return levels;
  }

  #rank(priceTicks: Ticks): number {
    return this.#bestIsHighest ? priceTicks : -priceTicks;
  }

  /** The index of the price, or where it belongs. */
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
