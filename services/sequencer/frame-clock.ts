// The time of a leader's frames. It starts at the agreed time of all clocks, never before the last
// frame, and later than the log says has passed since only if the clock of the log agrees. Then it
// advances with the monotonic clock. It follows the agreed time only slowly, so that setting the
// clocks of machines neither moves the exchange forward nor stops its time.

import type { Clock } from '../../infra/process/index.ts';
import { CLOCK_DIFFERENCE_MS_MAX, type ClockComparison } from './clock-comparison.ts';

/** How much faster or slower than the monotonic clock it may run: 5 ms in a second. */
const STEERING = 0.005;

/**
 * If the clock of the log does not agree, an epoch starts at most so far beyond the time that the
 * log says has passed: wrong clocks of all sequencers do not move the exchange.
 */
const STEP_MS_MAX = 1_000;

export interface FrameClockOptions {
  readonly clock: Clock;
  readonly clocks: ClockComparison;
  /** The time of the last frame in the log. */
  readonly lastMs: number;
  /** How long ago the log stored that frame, by its own clock; undefined if it does not say. */
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
    // The clock of the log confirms a longer step.
    const isConfirmed = Math.abs(agreedMs - logMs) <= CLOCK_DIFFERENCE_MS_MAX;
    const latestMs = isConfirmed ? agreedMs : lastMs + Math.max(0, idleMs) + STEP_MS_MAX;
    this.#timeMs = Math.max(lastMs, Math.min(agreedMs, latestMs));
    this.#readAtMs = clock.elapsedMs();
  }

  nowMs(): number {
    return Math.floor(this.#advance());
  }

  /** How long until it shows this time, at the speed of the monotonic clock. */
  untilMs(timeMs: number): number {
    return timeMs - this.#advance();
  }

  /** By how much it is ahead of the agreed time; negative if it is behind. */
  aheadMs(): number {
    const timeMs = this.#advance();
    return timeMs - this.#options.clocks.agreedMs(timeMs);
  }

  /** By how much the clock of this machine is ahead of the agreed time. */
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
