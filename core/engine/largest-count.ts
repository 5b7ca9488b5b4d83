// Counts by slot, and the slot with the largest count: a tree in which every node holds the larger
// of its two children. A change touches only the nodes that it changes.

export class LargestCount {
  #leaves = 1;
  #largest = new Int32Array(2);

  constructor(slots: number) {
    this.grow(slots);
  }

  /** Room for slots 0 to `slots`; counts are kept. */
  grow(slots: number): void {
    const before = { leaves: this.#leaves, largest: this.#largest };
    while (this.#leaves <= slots) this.#leaves *= 2;
    this.#largest = new Int32Array(2 * this.#leaves);
    for (let slot = 0; slot < before.leaves; slot++) {
      const count = before.largest[before.leaves + slot];
      if (count > 0) this.set(slot, count);
    }
  }

  set(slot: number, count: number): void {
    const largest = this.#largest;
    let node = this.#leaves + slot;
    largest[node] = count;
    while (node > 1) {
      node >>= 1;
      const larger = Math.max(largest[2 * node], largest[2 * node + 1]);
      if (largest[node] === larger) return;
      largest[node] = larger;
    }
  }

  /** The slot with the largest count; of several, the first. */
  get slot(): number {
    const largest = this.#largest;
    let node = 1;
    while (node < this.#leaves) {
      node *= 2;
      if (largest[node] < largest[node + 1]) node++;
    }
    return node - this.#leaves;
  }
}
