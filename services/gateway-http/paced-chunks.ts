// The chunks of an answer, at the pace of its client. A client that takes less than a minimum for
// longer than a grace period is reported once: a reader of rows holds a connection to the database.

import type { Clock, Timer } from '../../infra/process/index.ts';

export interface PacedChunksOptions {
  readonly chunks: AsyncIterable<string | Buffer>;
  readonly clock: Pick<Clock, 'after' | 'elapsedMs'>;
  /** The client took too little for too long. */
  onSlow(): void;
}

/** 32 kB a second. */
const BYTES_PER_MS_MIN = 32;
/** A client may fall behind, or stand still, for this long. */
const GRACE_MS = 5_000;

export class PacedChunks implements AsyncIterableIterator<string | Buffer> {
  readonly #options: PacedChunksOptions;
  readonly #chunks: AsyncIterator<string | Buffer>;
  /** The time that the client may still lose; what it takes earns some back. */
  #creditMs = GRACE_MS;
  /** When the client got the last chunk; undefined while the next one is being made. */
  #handedAtMs: number | undefined;
  #timer: Timer | undefined;

  constructor(options: PacedChunksOptions) {
    this.#options = options;
    this.#chunks = options.chunks[Symbol.asyncIterator]();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string | Buffer, undefined>> {
    const { clock, onSlow } = this.#options;
    this.#timer?.cancel();
    if (this.#handedAtMs !== undefined) this.#creditMs -= clock.elapsedMs() - this.#handedAtMs;
    this.#handedAtMs = undefined;
    const { done, value } = await this.#chunks.next();
    if (done === true) return { done: true, value: undefined };
    this.#creditMs = Math.min(GRACE_MS, this.#creditMs + value.length / BYTES_PER_MS_MIN);
    this.#handedAtMs = clock.elapsedMs();
    this.#timer = clock.after(Math.max(0, this.#creditMs), onSlow);
    return { done: false, value };
  }

  async return(): Promise<IteratorResult<string | Buffer, undefined>> {
    this.#timer?.cancel();
    await this.#chunks.return?.();
    return { done: true, value: undefined };
  }
}
