// A bounded queue of unread messages for one reader. It never drops messages silently: a full queue
// rejects the push, and with `isNewestOnly` each message replaces the one before.

export interface QueueOptions {
  /** Maximum number of unread messages. */
  readonly max: number;
  /** Conflate: each message replaces the unread one. */
  readonly isNewestOnly?: boolean;
  /** Called when the reader stops iterating. */
  readonly onReturn: () => void;
}

interface Waiting<Item> {
  resolve(result: IteratorResult<Item, undefined>): void;
  reject(reason: unknown): void;
}

/** open ──end or fail──▶ ended. The reader still gets the messages that were queued. */
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

  /** Returns false if the queue is full or has ended. */
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

  /** The reader gets the error once, after the queued messages. */
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
