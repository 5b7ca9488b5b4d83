// Measures the time in which the exchange could not accept commands, for the frame after it: from
// the last frame of the previous leader to the first of this one, and while the log stored nothing.

import type { Clock } from '../../infra/process/index.ts';

/** The shortest time-out of a dead man's switch: a shorter pause is ordinary operation. */
const PAUSE_MIN_MS = 1_000;

export class PauseMeter {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  #pausedMs: number;
  /** While frames wait for the log: since when it has stored none. */
  #waitsSinceMs: number | undefined;

  /** `idleMs` is the time since the last frame of the log. */
  constructor(clock: Pick<Clock, 'elapsedMs'>, idleMs: number) {
    this.#clock = clock;
    this.#pausedMs = idleMs < PAUSE_MIN_MS ? 0 : idleMs;
  }

  /** The pause to state in a frame that is made now. */
  get pausedMs(): number {
    return Math.floor(this.#pausedMs + this.#waitedMs());
  }

  /** The frame that states the pause is on its way to the log. */
  stated(): void {
    this.#pausedMs = 0;
    if (this.#waitsSinceMs === undefined || this.#waitedMs() > 0) {
      this.#waitsSinceMs = this.#clock.elapsedMs();
    }
  }

  /** The log stored a frame; `pending` frames still wait. */
  stored(pending: number): void {
    this.#pausedMs += this.#waitedMs();
    this.#waitsSinceMs = pending > 0 ? this.#clock.elapsedMs() : undefined;
  }

  #waitedMs(): number {
    if (this.#waitsSinceMs === undefined) return 0;
    const waitedMs = this.#clock.elapsedMs() - this.#waitsSinceMs;
    return waitedMs < PAUSE_MIN_MS ? 0 : waitedMs;
  }
}
