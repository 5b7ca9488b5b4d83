// Lets only so many tasks run at once; the others wait for their turn, in the order in which they
// came. So a thousand users who come back in one moment do not ask a thousand questions in it.

export class ConcurrencyLimit {
  readonly #atOnceMax: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax;
  }

  async take<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#atOnceMax) {
      await new Promise<void>((go) => this.#waiting.push(go));
    } else {
      this.#running += 1;
    }
    try {
      return await task();
    } finally {
      // Whoever waits takes over this turn.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
