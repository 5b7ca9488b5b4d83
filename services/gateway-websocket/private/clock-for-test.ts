// A clock that a test moves.

import { setImmediate as turn } from 'node:timers/promises';
import type { Clock, Timer } from '../../../infra/process/index.ts';

export class ClockForTest implements Clock {
  #nowMs = 0;
  #tasks: { readonly atMs: number; readonly task: () => void }[] = [];

  nowMs(): number {
    return this.#nowMs;
  }

  elapsedMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, task: () => void): Timer {
    const planned = { atMs: this.#nowMs + delayMs, task };
    this.#tasks.push(planned);
    return {
      cancel: () => {
        this.#tasks = this.#tasks.filter((other) => other !== planned);
      },
    };
  }

  soon(task: () => void): Timer {
    return this.after(0, task);
  }

  get waitingCount(): number {
    return this.#tasks.length;
  }

  /** Runs what is due until then, the earliest first, each at its own time. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const due = this.#tasks
        .filter(({ atMs }) => atMs <= untilMs)
        .sort((one, other) => one.atMs - other.atMs)[0];
      if (due === undefined) break;
      this.#nowMs = Math.max(this.#nowMs, due.atMs);
      this.#tasks = this.#tasks.filter((task) => task !== due);
      due.task();
    }
    this.#nowMs = untilMs;
    await turn();
  }
}
