// Detects whether a leader's heartbeats come back to it over the bus. If they do not although the
// log responds, either gateways do not receive this leader's messages or the leader does not
// receive theirs, and its frames keep a standby from taking over, so it must yield. A leader that
// never received its own heartbeat cannot expect another leader to do better.

import type { Clock } from '../../infra/process/index.ts';

export class EchoWatch {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #lostAfterMs: number;
  #hasHeard = false;
  /** Time of the log's first response since the last echo. */
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

  /** Returns how long no heartbeat came back while the log responded. */
  get silentMs(): number {
    if (!this.#hasHeard || this.#silentSinceMs === undefined) return 0;
    return this.#clock.elapsedMs() - this.#silentSinceMs;
  }

  /**
   * Returns whether this leader's heartbeats are lost. `unacknowledgedMs` is the age of the oldest
   * request to the log: while the log does not respond either, both might be down. `resumedMs` is
   * the end of this process's last pause, during which it received nothing.
   */
  isLost(unacknowledgedMs: number, resumedMs: number): boolean {
    const awakeMs = this.#clock.elapsedMs() - resumedMs;
    const isLogSilent = unacknowledgedMs > this.#lostAfterMs / 2;
    return !isLogSilent && Math.min(this.silentMs, awakeMs) > this.#lostAfterMs;
  }
}
