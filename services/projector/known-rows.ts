// Cache of accounts and minutes that have a row, so most batches need no insert. Forgetting them is
// safe, so the cache of accounts is cleared when it is full.

const ACCOUNTS_MAX = 1_000_000;

export class KnownRows {
  /** Start of the last minute that has a row; 0 if unknown. */
  minuteMs = 0;

  readonly #owners = new Map<number, Set<number>>();
  #count = 0;

  has(owner: number, asset: number): boolean {
    return this.#owners.get(asset)?.has(owner) === true;
  }

  add(owner: number, asset: number): void {
    if (this.has(owner, asset)) return;
    if (this.#count === ACCOUNTS_MAX) {
      this.#owners.clear();
      this.#count = 0;
    }
    let owners = this.#owners.get(asset);
    if (owners === undefined) this.#owners.set(asset, (owners = new Set()));
    owners.add(owner);
    this.#count++;
  }
}
