// Virtual time: tasks in a heap, ordered by time and then by insertion. Nothing waits in real time;
// the same seed produces the same order. Processes have their own clocks and can crash or be
// paused, as by SIGSTOP.

import { type Clock, PAUSE_MS_MAX, type Timer } from '../../infra/process/index.ts';
import type { Random } from '../flows/index.ts';
import { TaskHeap } from './task-heap.ts';

export interface VirtualTimeSettings {
  readonly startMs: number;
  readonly random: Random;
  /** Maximum delay of a process's timers, as on a busy machine. */
  readonly latenessMsMax: number;
}

interface Task {
  timeMs: number;
  order: number;
  /** Undefined once it has run or been canceled. */
  run: (() => void) | undefined;
  readonly isTimer: boolean;
  /** Runs even while its process is busy. */
  readonly isOfThread?: boolean | undefined;
  readonly process: VirtualProcess | undefined;
}

/** The world's clock: exact and never paused. */
export class VirtualTime implements Clock {
  readonly random: Random;
  readonly latenessMsMax: number;
  readonly #heap = new TaskHeap<Task>();
  #nowMs: number;
  #order = 0;

  constructor({ startMs, random, latenessMsMax }: VirtualTimeSettings) {
    this.#nowMs = startMs;
    this.random = random;
    this.latenessMsMax = latenessMsMax;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  elapsedMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): Timer {
    return this.add({ delayMs, run, isTimer: true, process: undefined });
  }

  soon(run: () => void): Timer {
    return this.after(0, run);
  }

  process(skewMs: number): VirtualProcess {
    return new VirtualProcess(this, skewMs);
  }

  /** Runs all tasks due by then and sets the clock to that time. */
  runUntil(timeMs: number): void {
    let task = this.#heap.peek();
    for (; task !== undefined && task.timeMs <= timeMs; task = this.#heap.peek()) {
      this.#heap.pop();
      this.#nowMs = task.timeMs;
      this.#meet(task);
    }
    this.#nowMs = Math.max(this.#nowMs, timeMs);
  }

  add(request: Omit<Task, 'timeMs' | 'order'> & { delayMs: number }): Timer {
    const { delayMs, run, isTimer, process, isOfThread } = request;
    if (Number.isNaN(delayMs)) throw new RangeError('A delay must be a number of milliseconds.');
    const timeMs = this.#nowMs + Math.max(delayMs, 0);
    const task: Task = { timeMs, order: 0, run, isTimer, process, isOfThread };
    this.#push(task);
    return {
      cancel: () => {
        task.run = undefined;
      },
    };
  }

  /** Puts the task back into the heap, due now, after tasks that are already due. */
  release(task: Task): void {
    task.timeMs = this.#nowMs;
    this.#push(task);
  }

  #push(task: Task): void {
    task.order = this.#order++;
    this.#heap.push(task);
  }

  #meet(task: Task): void {
    const { process, run } = task;
    if (run === undefined || process?.isCrashed) return;
    if (process?.isPaused) {
      process.keep(task);
      return;
    }
    if (process !== undefined && process.busyUntilMs > this.#nowMs && !task.isOfThread) {
      task.timeMs = process.busyUntilMs;
      this.#push(task);
      return;
    }
    task.run = undefined;
    run();
  }
}

/** A process's clock. It runs or is paused; a crash is final. */
export class VirtualProcess implements Clock {
  readonly #time: VirtualTime;
  readonly #waiting: Task[] = [];
  #skewMs: number;
  #latestMs = 0;
  #busyUntilMs = 0;
  #isPaused = false;
  #isCrashed = false;

  constructor(time: VirtualTime, skewMs: number) {
    this.#time = time;
    this.#skewMs = skewMs;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  get isCrashed(): boolean {
    return this.#isCrashed;
  }

  /** The event loop is busy until then: no task runs earlier. */
  get busyUntilMs(): number {
    return this.#busyUntilMs;
  }

  /** Keeps the process busy with the current task for this long. */
  spend(forMs: number): void {
    this.#busyUntilMs = Math.max(this.#busyUntilMs, this.#time.nowMs()) + forMs;
  }

  /** Runs the task immediately, or after the current one. */
  whenFree(run: () => void): void {
    if (this.#busyUntilMs > this.#time.nowMs()) this.soon(run);
    else run();
  }

  /**
   * Returns the clock of another thread in the process, which the process's work does not delay.
   */
  thread(): Clock {
    const add = (delayMs: number, run: () => void): Timer =>
      this.#time.add({ delayMs, run, isTimer: true, process: this, isOfThread: true });
    return {
      nowMs: () => this.nowMs(),
      elapsedMs: () => this.elapsedMs(),
      after: add,
      soon: (run) => add(0, run),
    };
  }

  nowMs(): number {
    const machineMs = Math.floor(this.#time.nowMs() + this.#skewMs);
    const isSetBack = this.#latestMs - machineMs > PAUSE_MS_MAX;
    if (machineMs > this.#latestMs || isSetBack) this.#latestMs = machineMs;
    return this.#latestMs;
  }

  elapsedMs(): number {
    return this.#time.elapsedMs();
  }

  after(delayMs: number, run: () => void): Timer {
    const lateMs = (this.#time.random.word() / 2 ** 32) * this.#time.latenessMsMax;
    return this.#time.add({ delayMs: delayMs + lateMs, run, isTimer: true, process: this });
  }

  soon(run: () => void): Timer {
    return this.#time.add({ delayMs: 0, run, isTimer: false, process: this });
  }

  /** Sets the machine's time; a clock that would go back slightly pauses instead. */
  setSkewMs(skewMs: number): void {
    this.#skewMs = skewMs;
  }

  /** Prevents all its tasks from running, including new ones. */
  crash(): void {
    this.#isCrashed = true;
  }

  pause(): void {
    this.#isPaused = true;
  }

  /**
   * Makes pending tasks due immediately. Timers can run before or after arrivals during the pause.
   */
  resume(): void {
    this.#isPaused = false;
    const waiting = this.#waiting.splice(0);
    const arrangement = this.#time.random.below(3);
    if (arrangement > 0) {
      const isFirst = (task: Task): boolean => task.isTimer === (arrangement === 1);
      waiting.sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
    }
    for (const task of waiting) this.#time.release(task);
  }

  /** Stores a task that became due while the process is paused. */
  keep(task: Task): void {
    this.#waiting.push(task);
  }
}
