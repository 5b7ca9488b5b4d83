// Notices when this very process did not run for a while: the machine was suspended, or somebody
// stopped everything. Measurements in that time say nothing about the exchange.

import { steadyMs } from './clients/frames-heard.ts';

const TICK_MS = 50;
/** Less than this is the noise of a busy machine. */
const NOTED_MS = 1_000;

export class Standstill {
  readonly #timer: NodeJS.Timeout;
  readonly #times: number[] = [];
  #lastMs = steadyMs();

  constructor() {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** How often it stood still so far. */
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
