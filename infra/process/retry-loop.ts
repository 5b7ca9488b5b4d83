// The retry loop of a service that depends on a server: it repeats an attempt with growing pauses
// until the attempt succeeds or the service stops. It reports an outage once, and its end once.

import type { Clock, Timer } from './clock.ts';

export interface RetryLoopOptions {
  readonly clock: Clock;
  /** The first pause after a failure; each further pause is twice as long, up to the maximum. */
  readonly retryMs: number;
  readonly retryMsMax: number;
  /** Any other error is thrown to the caller of `run`. */
  isRetryable(fault: unknown): boolean;
  /** Called after every failed attempt, also the last: releases what the attempt had opened. */
  onFailure?(): void;
  /** The first failure of an outage. */
  onDown(fault: unknown): void;
  /** The first success after an outage. */
  onUp(): void;
}

/** running ──stop──▶ stopped. While it runs, it is up or down. */
export class RetryLoop {
  readonly #options: RetryLoopOptions;
  #isStopped = false;
  #isDown = false;
  /** Ends the current pause early. */
  #endPause: () => void = () => {};

  constructor(options: RetryLoopOptions) {
    this.#options = options;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The last attempt failed. */
  get isDown(): boolean {
    return this.#isDown;
  }

  /** The result of the first attempt that succeeds; undefined if the loop is stopped before. */
  async run<Result>(attempt: () => Promise<Result>): Promise<Result | undefined> {
    const { isRetryable, onDown, onFailure, retryMs, retryMsMax } = this.#options;
    for (let pauseMs = retryMs; ; pauseMs = Math.min(2 * pauseMs, retryMsMax)) {
      try {
        const result = await attempt();
        this.succeeded();
        return result;
      } catch (fault) {
        onFailure?.();
        if (!isRetryable(fault)) throw fault;
        if (!this.#isDown) onDown(fault);
        this.#isDown = true;
      }
      if (!(await this.pause(pauseMs))) return undefined;
    }
  }

  /** Ends an outage in the middle of a long attempt, as soon as the server is known to be up. */
  succeeded(): void {
    if (this.#isDown) this.#options.onUp();
    this.#isDown = false;
  }

  /** Waits; `endPause` and `stop` end the wait early. False if the loop is stopped. */
  async pause(ms: number): Promise<boolean> {
    if (this.#isStopped) return false;
    let timer: Timer | undefined;
    await new Promise<void>((done) => {
      timer = this.#options.clock.after(ms, done);
      this.#endPause = done;
    });
    timer?.cancel();
    return !this.#isStopped;
  }

  endPause(): void {
    this.#endPause();
  }

  /** Ends the current pause. The attempt in progress is not interrupted. */
  stop(): void {
    this.#isStopped = true;
    this.#endPause();
  }
}
