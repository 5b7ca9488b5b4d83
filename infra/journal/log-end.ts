// Tells an old answer about the end of a log from a log that has lost messages. A former leader of
// the stream may answer once with an earlier end; a log that was put back answers so every time.

import type { Clock } from '../process/index.ts';

/** An election inside the log takes up to two seconds, and its responses are new after it. */
const LOST_AFTER_MS = 10_000;

export class LogEnd {
  readonly #clock: Clock;
  #shorterSinceMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The log answers that it ends at `last`; this process knows that it held message `known`.
   * Returns the reason if it has lost messages.
   */
  answered(last: number, known: number): string | undefined {
    if (last >= known) {
      this.#shorterSinceMs = undefined;
      return undefined;
    }
    const nowMs = this.#clock.elapsedMs();
    this.#shorterSinceMs ??= nowMs;
    if (nowMs - this.#shorterSinceMs < LOST_AFTER_MS) return undefined;
    return `the log ends at ${last}, but it had message ${known}: it was lost or put back`;
  }
}
