// Sends the heartbeats of a leader, and repeats the last one while the leader is busy with one turn
// of its event loop: a frame that takes long to apply is no reason for a takeover. A leader that is
// busy for longer than a frame may take is hung: then nothing is sent, and a standby takes over.

import type { LeaderHeartbeat } from '../../infra/command-link/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';

export interface HeartbeatSender {
  send(heartbeat: LeaderHeartbeat): void;
  /** Nothing is sent any more. */
  stop(): void;
}

export interface HeartbeatRepeaterOptions {
  /** Of a thread that the leader's work does not delay. */
  readonly clock: Clock;
  readonly heartbeatMs: number;
  /** The longest turn of a leader that is not hung. */
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

  /** Half a heartbeat late, so that a leader that is not busy is never repeated. */
  #repeatLater(): void {
    this.#timer?.cancel();
    const { clock, heartbeatMs } = this.#options;
    this.#timer = clock.after(1.5 * heartbeatMs, () => this.#repeat());
  }

  /**
   * The age of the unanswered request stays as it was: a busy leader does not read its answers.
   * Gateways resend nothing to a leader that waits.
   */
  #repeat(): void {
    const { clock, frameMsMax, publish } = this.#options;
    if (this.#last === undefined) return;
    const { atMs, heartbeat } = this.#last;
    if (clock.elapsedMs() - atMs > frameMsMax) return;
    const { state } = heartbeat;
    const repeated = state === 'leading' ? 'waiting' : state;
    // Its clock was read too long ago to be compared.
    publish({ ...heartbeat, clockMs: undefined, state: repeated });
    this.#repeatLater();
  }
}
