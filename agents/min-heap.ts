// A binary heap of items with a time, earliest first; equal times in the order of their arrival.

interface Entry<Item> {
  readonly timeMs: number;
  readonly turn: number;
  readonly item: Item;
}

export class MinHeap<Item> {
  readonly #entries: Entry<Item>[] = [];
  #turns = 0;

  get size(): number {
    return this.#entries.length;
  }

  /** Infinity if it is empty. */
  get nextMs(): number {
    return this.#entries.length === 0 ? Number.POSITIVE_INFINITY : this.#entries[0].timeMs;
  }

  push(timeMs: number, item: Item): void {
    const entries = this.#entries;
    this.#turns += 1;
    const entry = { timeMs, turn: this.#turns, item };
    let at = entries.length;
    entries.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(entry, entries[parent])) break;
      entries[at] = entries[parent];
      at = parent;
    }
    entries[at] = entry;
  }

  pop(): Item | undefined {
    const entries = this.#entries;
    const first = entries[0];
    const last = entries.pop();
    if (last === undefined) return undefined;
    if (entries.length > 0) this.#sink(last);
    return first.item;
  }

  #sink(entry: Entry<Item>): void {
    const entries = this.#entries;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= entries.length) break;
      if (child + 1 < entries.length && isBefore(entries[child + 1], entries[child])) child += 1;
      if (!isBefore(entries[child], entry)) break;
      entries[at] = entries[child];
      at = child;
    }
    entries[at] = entry;
  }
}

function isBefore<Item>(one: Entry<Item>, other: Entry<Item>): boolean {
  return one.timeMs < other.timeMs || (one.timeMs === other.timeMs && one.turn < other.turn);
}
