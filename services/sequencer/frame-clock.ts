// Time of a leader's frames. Starts at the agreed time of all clocks, never before the last frame,
// and later than the log's idle time allows only if the log's clock agrees. Then it advances with
// the monotonic clock and follows the agreed time only slowly, so setting the machines' clocks
// neither moves the exchange forward nor stops its time.

import type { Clock } from '../../infra/process/index.ts';
import { CLOCK_DIFFERENCE_MS_MAX, type ClockComparison } from './clock-comparison.ts';

/** How much faster or slower than the monotonic clock it can run: 5 ms per second. */
const STEERING = 0.005;

/**
 * If the log's clock does not agree, an epoch starts at most this far beyond the log's idle time,
 * so wrong clocks on all sequencers do not move the exchange.
 */
const STEP_MS_MAX = 1_000;

export interface FrameClockOptions {
  readonly clock: Clock;
  readonly clocks: ClockComparison;
  /** Time of the last frame in the log. */
  readonly lastMs: number;
  /** How long ago the log stored that frame, by the log's own clock; undefined if unknown. */
  readonly idleMs?: number | undefined;
}

export class FrameClock {
  readonly #options: FrameClockOptions;
  #timeMs: number;
  #readAtMs: number;

  constructor(options: FrameClockOptions) {
    const { clock, clocks, idleMs = Number.POSITIVE_INFINITY, lastMs } = options;
    this.#options = options;
    const agreedMs = clocks.agreedMs(lastMs);
    const logMs = clocks.logMs() ?? agreedMs;
    // The log's clock confirms a longer step.
    const isConfirmed = Math.abs(agreedMs - logMs) <= CLOCK_DIFFERENCE_MS_MAX;
    const latestMs = isConfirmed ? agreedMs : lastMs + Math.max(0, idleMs) + STEP_MS_MAX;
    this.#timeMs = Math.max(lastMs, Math.min(agreedMs, latestMs));
    this.#readAtMs = clock.elapsedMs();
  }

  nowMs(): number {
    return Math.floor(this.#advance());
  }

  /** Returns how long until it shows this time, at the speed of the monotonic clock. */
  untilMs(timeMs: number): number {
    return timeMs - this.#advance();
  }

  /** Returns how far it is ahead of the agreed time; negative if it is behind. */
  aheadMs(): number {
    const timeMs = this.#advance();
    return timeMs - this.#options.clocks.agreedMs(timeMs);
  }

  /** Returns how far this machine's clock is ahead of the agreed time. */
  machineAheadMs(): number {
    return this.#options.clocks.aheadMs(this.#advance());
  }

  #advance(): number {
    const { clock, clocks } = this.#options;
    const nowMs = clock.elapsedMs();
    const passedMs = nowMs - this.#readAtMs;
    const steeringMs = STEERING * passedMs;
    const steadyMs = this.#timeMs + passedMs;
    const aheadMs = steadyMs - clocks.agreedMs(steadyMs);
    this.#timeMs = steadyMs - Math.min(Math.max(aheadMs, -steeringMs), steeringMs);
    this.#readAtMs = nowMs;
    return this.#timeMs;
  }
}
