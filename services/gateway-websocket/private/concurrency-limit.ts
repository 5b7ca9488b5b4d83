// Limits the number of concurrent tasks and queues others in order of arrival. If a thousand users
// reconnect together, they do not cause a thousand concurrent reads.

export class ConcurrencyLimit {
  readonly #concurrentMax: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(concurrentMax: number) {
    this.#concurrentMax = concurrentMax;
  }

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#concurrentMax) {
      await new Promise<void>((go) => this.#waiting.push(go));
    } else {
      this.#running += 1;
    }
    try {
      return await task();
    } finally {
      // The next queued task takes over this slot.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
