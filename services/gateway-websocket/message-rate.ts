// Limits the number of messages that a socket may send within a time window. It counts and never
// waits.

export class MessageRate {
  readonly #max: number;
  readonly #withinMs: number;
  #windowStartMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor({ max, withinMs }: { readonly max: number; readonly withinMs: number }) {
    this.#max = max;
    this.#withinMs = withinMs;
  }

  /** False if the limit of the window is exceeded. */
  take(nowMs: number): boolean {
    if (nowMs - this.#windowStartMs >= this.#withinMs) {
      this.#windowStartMs = nowMs;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= this.#max;
  }
}
