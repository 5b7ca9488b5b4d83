// Chunks of a response, at the client's pace. Reports a client once if it reads below a minimum
// rate for longer than a grace period, because a reader of rows holds a database connection.

import type { Clock, Timer } from '../../infra/process/index.ts';

export interface PacedChunksOptions {
  readonly chunks: AsyncIterable<string | Buffer>;
  readonly clock: Pick<Clock, 'after' | 'elapsedMs'>;
  /** Called when the client read too little for too long. */
  onSlow(): void;
}

/** 32 kB/s. */
const BYTES_PER_MS_MIN = 32;
/** Grace period in which a client can read slowly or not at all. */
const GRACE_MS = 5_000;

export class PacedChunks implements AsyncIterableIterator<string | Buffer> {
  readonly #options: PacedChunksOptions;
  readonly #chunks: AsyncIterator<string | Buffer>;
  /** Time that the client can still lose; reading earns some back. */
  #creditMs = GRACE_MS;
  /** When the client got the last chunk; undefined while the next one is produced. */
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
