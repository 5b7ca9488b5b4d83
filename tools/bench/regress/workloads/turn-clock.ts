// Clock and bus for workloads: time passes only when a workload advances it, and nothing is
// recorded. As small as possible, because its time counts on both sides.

import type { Bus, Subscription } from '../../../../infra/bus/index.ts';
import type { Clock, Timer } from '../../../../infra/process/index.ts';

interface Task {
  readonly dueMs: number;
  run: (() => void) | undefined;
}

export class TurnClock implements Clock {
  #nowMs: number;
  #soon: Task[] = [];
  #later: Task[] = [];

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  elapsedMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): Timer {
    return this.#add(delayMs <= 0 ? this.#soon : this.#later, delayMs, run);
  }

  soon(run: () => void): Timer {
    return this.#add(this.#soon, 0, run);
  }

  /** Runs everything that is due within this time, until nothing is. */
  advance(byMs: number): void {
    this.#nowMs += byMs;
    if (this.#later.some(({ dueMs }) => dueMs <= this.#nowMs)) {
      const due = this.#later.filter(({ dueMs }) => dueMs <= this.#nowMs);
      this.#later = this.#later.filter(({ dueMs, run }) => dueMs > this.#nowMs && run);
      for (const task of due) task.run?.();
    }
    while (this.#soon.length > 0) {
      const tasks = this.#soon;
      this.#soon = [];
      for (const task of tasks) task.run?.();
    }
  }

  #add(tasks: Task[], delayMs: number, run: () => void): Timer {
    const task: Task = { dueMs: this.#nowMs + delayMs, run };
    tasks.push(task);
    return {
      cancel: () => {
        task.run = undefined;
      },
    };
  }
}

/** Delivers immediately to the receivers of exactly this subject, or of a prefix of it. */
export class DirectBus implements Bus {
  readonly #receivers = new Map<string, (message: Uint8Array, subject: string) => void>();

  publish(subject: string, message: Uint8Array): void {
    const receive = this.#receivers.get(subject) ?? this.#receivers.get(prefixOf(subject));
    receive?.(message, subject);
  }

  subscribe(
    subject: string,
    receive: (message: Uint8Array, subject: string) => void,
  ): Subscription {
    this.#receivers.set(subject, receive);
    return { stop: () => this.#receivers.delete(subject) };
  }
}

function prefixOf(subject: string): string {
  return `${subject.slice(0, subject.lastIndexOf('.'))}.>`;
}
