// Knows whether the heartbeats of a leader come back to it over the bus. If they do not although
// the log answers, gateways do not hear this leader or it does not hear them, and its frames keep a
// standby from taking over: it must yield. A leader that never heard itself has no reason to think
// that another one would be heard.

import type { Clock } from '../../infra/process/index.ts';

export class EchoWatch {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #lostAfterMs: number;
  #hasHeard = false;
  /** The first answer of the log since the last echo. */
  #silentSinceMs: number | undefined;

  constructor(clock: Pick<Clock, 'elapsedMs'>, lostAfterMs: number) {
    this.#clock = clock;
    this.#lostAfterMs = lostAfterMs;
  }

  heard(): void {
    this.#hasHeard = true;
    this.#silentSinceMs = undefined;
  }

  logAnswered(): void {
    this.#silentSinceMs ??= this.#clock.elapsedMs();
  }

  /** For how long no heartbeat came back while the log answered. */
  get silentMs(): number {
    if (!this.#hasHeard || this.#silentSinceMs === undefined) return 0;
    return this.#clock.elapsedMs() - this.#silentSinceMs;
  }

  /**
   * Nobody hears this leader. `unacknowledgedMs` is the age of the oldest request to the log: while
   * the log is silent too, this may be an outage of both. `resumedMs` is the end of the last pause
   * of this process, in which it heard nothing.
   */
  isLost(unacknowledgedMs: number, resumedMs: number): boolean {
    const awakeMs = this.#clock.elapsedMs() - resumedMs;
    const isLogSilent = unacknowledgedMs > this.#lostAfterMs / 2;
    return !isLogSilent && Math.min(this.silentMs, awakeMs) > this.#lostAfterMs;
  }
}
