// Sends a leader's heartbeats, and repeats the last one while the leader is busy with one event
// loop turn, because a slow frame is not a reason for a takeover. A leader that is busy for longer
// than a frame is allowed to take is hung: then it must send nothing, and a standby takes over.

import type { LeaderHeartbeat } from '../../infra/command-link/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';

export interface HeartbeatSender {
  send(heartbeat: LeaderHeartbeat): void;
  /** Stops sending. */
  stop(): void;
}

export interface HeartbeatRepeaterOptions {
  /** Clock of a thread that the leader's work does not delay. */
  readonly clock: Clock;
  readonly heartbeatMs: number;
  /** Longest event loop turn of a leader that is not hung. */
  readonly frameMsMax: number;
  publish(heartbeat: LeaderHeartbeat): void;
}

export class HeartbeatRepeater implements HeartbeatSender {
  readonly #options: HeartbeatRepeaterOptions;
  #last: { readonly heartbeat: LeaderHeartbeat; readonly atMs: number } | undefined;
  #timer: Timer | undefined;

  constructor(options: HeartbeatRepeaterOptions) {
    this.#options = options;
  }

  send(heartbeat: LeaderHeartbeat): void {
    this.#last = { heartbeat, atMs: this.#options.clock.elapsedMs() };
    this.#options.publish(heartbeat);
    this.#repeatLater();
  }

  stop(): void {
    this.#last = undefined;
    this.#timer?.cancel();
  }

  /** Half a heartbeat late, so the heartbeats of an idle leader are never repeated. */
  #repeatLater(): void {
    this.#timer?.cancel();
    const { clock, heartbeatMs } = this.#options;
    this.#timer = clock.after(1.5 * heartbeatMs, () => this.#repeat());
  }

  /**
   * Keeps the age of the unanswered request, because a busy leader does not read its responses.
   * Gateways resend nothing to a waiting leader.
   */
  #repeat(): void {
    const { clock, frameMsMax, publish } = this.#options;
    if (this.#last === undefined) return;
    const { atMs, heartbeat } = this.#last;
    if (clock.elapsedMs() - atMs > frameMsMax) return;
    const { state } = heartbeat;
    const repeated = state === 'leading' ? 'waiting' : state;
    // The leader's clock was read too long ago for a comparison.
    publish({ ...heartbeat, clockMs: undefined, state: repeated });
    this.#repeatLater();
  }
}
