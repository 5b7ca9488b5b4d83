// Detects when this process did not run for a while because the machine was suspended or everything
// was stopped. Measurements during that time are not valid.

import { steadyMs } from './clients/frame-arrivals.ts';

const TICK_MS = 50;
/** Shorter pauses are normal on a busy machine. */
const NOTED_MS = 1_000;

export class Standstill {
  readonly #timer: NodeJS.Timeout;
  readonly #times: number[] = [];
  #lastMs = steadyMs();

  constructor() {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Number of pauses detected so far. */
  get count(): number {
    return this.#times.length;
  }

  get longestMs(): number {
    return Math.round(Math.max(0, ...this.#times));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const nowMs = steadyMs();
    if (nowMs - this.#lastMs > NOTED_MS) this.#times.push(nowMs - this.#lastMs);
    this.#lastMs = nowMs;
  }
}
