// Limits the number of messages per socket and time window. Only counts; never delays a message.

export class MessageRate {
  readonly #max: number;
  readonly #withinMs: number;
  #windowStartMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor({ max, withinMs }: { readonly max: number; readonly withinMs: number }) {
    this.#max = max;
    this.#withinMs = withinMs;
  }

  /** Returns false if the window's limit is exceeded. */
  take(nowMs: number): boolean {
    if (nowMs - this.#windowStartMs >= this.#withinMs) {
      this.#windowStartMs = nowMs;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= this.#max;
  }
}
