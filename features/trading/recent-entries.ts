// The most recently added entries: between half a limit and the limit. Drops half of them in one
// step, because deleting the oldest entry of a large map each time would take longer than an order:
// the map steps over all previously deleted entries.

export class RecentEntries<Key, Value> {
  readonly #halfMax: number;
  #newer = new Map<Key, Value>();
  #older = new Map<Key, Value>();

  constructor(entriesMax: number) {
    this.#halfMax = Math.max(1, Math.floor(entriesMax / 2));
  }

  get size(): number {
    return this.#newer.size + this.#older.size;
  }

  get(key: Key): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  has(key: Key): boolean {
    return this.#newer.has(key) || this.#older.has(key);
  }

  set(key: Key, value: Value): void {
    if (this.#newer.size >= this.#halfMax) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#older.delete(key);
    this.#newer.set(key, value);
  }

  delete(key: Key): void {
    this.#newer.delete(key);
    this.#older.delete(key);
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
  }
}
