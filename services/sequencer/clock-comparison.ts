// Compares this machine's clock with the clocks of the log and of the other sequencers. One wrong
// clock must never decide: the exchange uses the median, and if two clocks differ, the one closer
// to the exchange's time.

import type { Extent } from '../../infra/journal/index.ts';
import type { Clock } from '../../infra/process/index.ts';

/** A larger difference is a fault. NTP keeps machines within milliseconds. */
export const CLOCK_DIFFERENCE_MS_MAX = 1_000;

/** The log's clock is read about once per second, less often under load. */
const LOG_CLOCK_KEPT_MS = 60_000;
const LOG = 'the log';

/** A clock reading, as the difference from this process's monotonic clock. */
interface Reading {
  readonly offsetMs: number;
  readonly untilMs: number;
}

export class ClockComparison {
  readonly #clock: Clock;
  readonly #readings = new Map<string, Reading>();
  #ownOffsetMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#ownOffsetMs = this.#offsetMs();
  }

  /** Records another clock's current time. The reading counts for `keptMs`. */
  heard(name: string, timeMs: number | undefined, keptMs: number): void {
    if (timeMs === undefined) return;
    const nowMs = this.#clock.elapsedMs();
    this.#readings.set(name, { offsetMs: timeMs - nowMs, untilMs: nowMs + keptMs });
  }

  /**
   * Returns the median of all clocks, including this machine's. If two are in the middle, returns
   * the one closer to the exchange's time, which is the time of the last frame or of the next one.
   */
  agreedMs(exchangeMs: number): number {
    const nowMs = this.#clock.elapsedMs();
    const offsets = [this.#offsetMs()];
    for (const [name, { offsetMs, untilMs }] of this.#readings) {
      if (nowMs <= untilMs) offsets.push(offsetMs);
      else this.#readings.delete(name);
    }
    offsets.sort((one, other) => one - other);
    const [earlierMs, laterMs] = [(offsets.length - 1) >> 1, offsets.length >> 1].map(
      (at) => nowMs + offsets[at],
    );
    return laterMs - exchangeMs < exchangeMs - earlierMs ? laterMs : earlierMs;
  }

  /** Returns the log's time, or undefined without a recent reading. */
  logMs(): number | undefined {
    const reading = this.#readings.get(LOG);
    const nowMs = this.#clock.elapsedMs();
    return reading === undefined || nowMs > reading.untilMs ? undefined : nowMs + reading.offsetMs;
  }

  /** Returns how far this machine's clock is ahead of the agreed time; negative if it is behind. */
  aheadMs(exchangeMs: number): number {
    return this.#clock.nowMs() - this.agreedMs(exchangeMs);
  }

  /** Returns how far this machine's clock was set since the last call; 0 within the limit. */
  takeJumpMs(): number {
    const offsetMs = this.#offsetMs();
    const jumpMs = offsetMs - this.#ownOffsetMs;
    this.#ownOffsetMs = offsetMs;
    return Math.abs(jumpMs) > CLOCK_DIFFERENCE_MS_MAX ? jumpMs : 0;
  }

  #offsetMs(): number {
    return this.#clock.nowMs() - this.#clock.elapsedMs();
  }
}

export function heardLog(clocks: ClockComparison, { clockMs }: Extent): void {
  clocks.heard(LOG, clockMs, LOG_CLOCK_KEPT_MS);
}
