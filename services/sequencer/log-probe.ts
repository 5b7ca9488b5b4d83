// Asks the log for its end from time to time, and knows how long the log has not answered: health
// of a process that has nothing to append.

import type { Extent, LogStream } from '../../infra/journal/index.ts';
import type { Clock } from '../../infra/process/index.ts';

export class LogProbe {
  readonly #log: LogStream;
  readonly #clock: Clock;
  /** When the oldest request without an answer was sent. */
  #unansweredSinceMs: number | undefined;

  constructor(log: LogStream, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Age of the oldest request that the log has not answered; 0 without one. */
  get unansweredMs(): number {
    const sinceMs = this.#unansweredSinceMs;
    return sinceMs === undefined ? 0 : this.#clock.elapsedMs() - sinceMs;
  }

  /** Calls back only with an answer. */
  ask(done: (extent: Extent) => void = () => {}): void {
    this.#unansweredSinceMs ??= this.#clock.elapsedMs();
    this.#log.extent((extent) => {
      if (extent === undefined) return;
      this.answered();
      done(extent);
    });
  }

  /** The log has answered this process, perhaps with something else. */
  answered(): void {
    this.#unansweredSinceMs = undefined;
  }
}
