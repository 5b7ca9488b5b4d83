// Measures the time in which the exchange could not accept commands, for the frame after it: from
// the previous leader's last frame to this leader's first, and while the log stored nothing.

import type { Clock } from '../../infra/process/index.ts';

/** Shortest timeout of a dead man's switch; a shorter pause is normal operation. */
const PAUSE_MIN_MS = 1_000;

export class PauseMeter {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  #pausedMs: number;
  /** Since when the log has stored nothing while frames are pending. */
  #waitsSinceMs: number | undefined;

  /** `idleMs` is the time since the last frame in the log. */
  constructor(clock: Pick<Clock, 'elapsedMs'>, idleMs: number) {
    this.#clock = clock;
    this.#pausedMs = idleMs < PAUSE_MIN_MS ? 0 : idleMs;
  }

  /** Pause to record in a frame that is built now. */
  get pausedMs(): number {
    return Math.floor(this.#pausedMs + this.#waitedMs());
  }

  /** Called when the frame with the pause has been sent to the log. */
  stated(): void {
    this.#pausedMs = 0;
    if (this.#waitsSinceMs === undefined || this.#waitedMs() > 0) {
      this.#waitsSinceMs = this.#clock.elapsedMs();
    }
  }

  /** Called when the log stored a frame; `pending` frames are left. */
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
