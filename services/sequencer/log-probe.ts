// Periodically requests the end of the log, and measures how long the log has not responded.
// Provides the health of a process that has nothing to append.

import type { Extent, LogStream } from '../../infra/journal/index.ts';
import type { Clock } from '../../infra/process/index.ts';

export class LogProbe {
  readonly #log: LogStream;
  readonly #clock: Clock;
  /** When the oldest unanswered request was sent. */
  #unansweredSinceMs: number | undefined;

  constructor(log: LogStream, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Age of the log's oldest unanswered request; 0 without one. */
  get unansweredMs(): number {
    const sinceMs = this.#unansweredSinceMs;
    return sinceMs === undefined ? 0 : this.#clock.elapsedMs() - sinceMs;
  }

  /** Calls back only if the log responds. */
  ask(done: (extent: Extent) => void = () => {}): void {
    this.#unansweredSinceMs ??= this.#clock.elapsedMs();
    this.#log.extent((extent) => {
      if (extent === undefined) return;
      this.answered();
      done(extent);
    });
  }

  /** Called when the log has responded to this process, even to another request. */
  answered(): void {
    this.#unansweredSinceMs = undefined;
  }
}
