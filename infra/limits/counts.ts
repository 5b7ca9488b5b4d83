// Counts by name, each below a limit: open connections of an address, requests in progress. A name
// that counts zero takes no memory.

export class Counts {
  readonly #counts = new Map<string, number>();

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** Returns false and adds nothing at the limit. */
  add(name: string, max: number): boolean {
    const count = this.of(name);
    if (count >= max) return false;
    this.#counts.set(name, count + 1);
    return true;
  }

  remove(name: string): void {
    const count = this.of(name);
    if (count > 1) this.#counts.set(name, count - 1);
    else this.#counts.delete(name);
  }
}
