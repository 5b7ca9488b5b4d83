// When orders expire: by order, and by market in order of time. A closed order stays in the heap of
// its market until its time comes or the heap is rebuilt, so closing an order costs no search.

import type { OrderNumber, TimeMs } from '../money/index.ts';

interface Entry {
  readonly expiresMs: TimeMs;
  readonly number: OrderNumber;
  readonly slot: number;
  readonly market: number;
}

/** Entries of closed orders that a heap can hold beyond those of open ones. */
const CLOSED_MAX = 1_024;

export class Expiries {
  readonly #bySlot = new Map<number, Entry>();
  readonly #heaps = new Map<number, Entry[]>();
  #entries = 0;

  add(entry: Entry): void {
    this.#bySlot.set(entry.slot, entry);
    this.#push(entry);
    if (this.#entries > 2 * this.#bySlot.size + CLOSED_MAX) this.#rebuild();
  }

  remove(slot: number): void {
    this.#bySlot.delete(slot);
  }

  expiresMs(slot: number): TimeMs {
    return this.#bySlot.get(slot)?.expiresMs ?? (0 as TimeMs);
  }

  /** The earliest expiry in a market, perhaps that of a closed order; infinity for none. */
  nextMs(market: number): number {
    return this.#heaps.get(market)?.[0]?.expiresMs ?? Number.POSITIVE_INFINITY;
  }

  /** Removes and returns the next due order of a market: by time, then by number. */
  takeDue(market: number, nowMs: TimeMs): number | undefined {
    const heap = this.#heaps.get(market) ?? [];
    while (heap.length > 0 && heap[0].expiresMs <= nowMs) {
      const entry = this.#pop(heap);
      // A slot can belong to a later order by now.
      if (this.#bySlot.get(entry.slot) === entry) return entry.slot;
    }
    return undefined;
  }

  #push(entry: Entry): void {
    let heap = this.#heaps.get(entry.market);
    if (heap === undefined) this.#heaps.set(entry.market, (heap = []));
    this.#entries++;
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isEarlier(entry, heap[above])) break;
      heap[at] = heap[above];
      at = above;
    }
    heap[at] = entry;
  }

  #pop(heap: Entry[]): Entry {
    const [first] = heap;
    const last = heap.pop() as Entry;
    this.#entries--;
    if (heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isEarlier(heap[below + 1], heap[below])) below++;
      if (!isEarlier(heap[below], last)) break;
      heap[at] = heap[below];
      at = below;
    }
    heap[at] = last;
    return first;
  }

  #rebuild(): void {
    this.#heaps.clear();
    this.#entries = 0;
    for (const entry of this.#bySlot.values()) this.#push(entry);
  }
}

function isEarlier(one: Entry, other: Entry): boolean {
  return (
    one.expiresMs < other.expiresMs ||
    (one.expiresMs === other.expiresMs && one.number < other.number)
  );
}
