// What has come and was not taken yet, for one reader, up to a bound. Beyond it nothing is left out
// in silence: the reader gets what is there and then an error, or, where only the newest counts,
// the newest.

export interface QueueOptions {
  /** So many may wait. */
  readonly max: number;
  /** Only the newest counts: each takes the place of the one before. */
  readonly isNewestOnly?: boolean;
  /** The reader has gone. */
  readonly onReturn: () => void;
}

interface Waiting<Item> {
  resolve(result: IteratorResult<Item, undefined>): void;
  reject(reason: unknown): void;
}

/** open ──end or fail──▶ ended, once what waits has been taken. */
export class MessageQueue<Item> implements AsyncIterator<Item, undefined> {
  readonly #options: QueueOptions;
  readonly #items: Item[] = [];
  readonly #waiting: Waiting<Item>[] = [];
  #isEnded = false;
  #error: unknown;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** False when there is no room, or nobody any more. */
  push(item: Item): boolean {
    if (this.#isEnded) return false;
    const reader = this.#waiting.shift();
    if (reader !== undefined) {
      reader.resolve({ done: false, value: item });
      return true;
    }
    if (this.#options.isNewestOnly === true) this.#items.length = 0;
    if (this.#items.length >= this.#options.max) return false;
    this.#items.push(item);
    return true;
  }

  end(): void {
    this.#finish(undefined);
  }

  /** Told once, after what waits. */
  fail(error: unknown): void {
    this.#finish(error);
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    const item = this.#items.shift();
    if (item !== undefined) return Promise.resolve({ done: false, value: item });
    if (this.#error !== undefined) {
      const error = this.#error;
      this.#error = undefined;
      return Promise.reject(error);
    }
    if (this.#isEnded) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  return(): Promise<IteratorResult<Item, undefined>> {
    this.#items.length = 0;
    this.end();
    this.#error = undefined;
    this.#options.onReturn();
    return Promise.resolve({ done: true, value: undefined });
  }

  #finish(error: unknown): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const [first, ...others] = this.#waiting.splice(0);
    if (error !== undefined && first !== undefined) first.reject(error);
    else {
      this.#error = error;
      first?.resolve({ done: true, value: undefined });
    }
    for (const reader of others) reader.resolve({ done: true, value: undefined });
  }
}
