// A clock whose time only a test advances. Only tests import it.

import { setImmediate as turn } from 'node:timers/promises';
import type { Clock, Timer } from './clock.ts';

interface Task {
  readonly dueMs: number;
  readonly run: () => void;
}

export class FakeClock implements Clock {
  #nowMs: number;
  #tasks: Task[] = [];

  constructor(startMs = 0) {
    this.#nowMs = startMs;
  }

  get pendingCount(): number {
    return this.#tasks.length;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  elapsedMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): Timer {
    const task = { dueMs: this.#nowMs + delayMs, run };
    this.#tasks.push(task);
    return {
      cancel: () => {
        this.#tasks = this.#tasks.filter((other) => other !== task);
      },
    };
  }

  soon(run: () => void): Timer {
    return this.after(0, run);
  }

  /** Runs every task that becomes due, in order of time, each at its due time. */
  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    for (;;) {
      const due = this.#tasks.filter(({ dueMs }) => dueMs <= untilMs);
      const next = due.sort((one, other) => one.dueMs - other.dueMs)[0];
      if (next === undefined) break;
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      this.#tasks = this.#tasks.filter((task) => task !== next);
      next.run();
    }
    this.#nowMs = untilMs;
  }

  /** Time passes and nothing runs, as in a process that stalls; `advance` then runs it late. */
  stall(byMs: number): void {
    this.#nowMs += byMs;
  }

  /** Like `advance`, then lets settled promises continue. */
  async pass(byMs: number): Promise<void> {
    this.advance(byMs);
    await turn();
  }
}
