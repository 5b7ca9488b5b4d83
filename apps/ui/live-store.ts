// Live values: messages write into cells as often as they like, and views get the last value in a
// frame, at most ten times per second. A frame without changes costs nothing.

export type Schedule = (flush: () => void) => void;

/** Collects changed cells and publishes them together. */
export class Flusher {
  readonly #schedule: Schedule;
  readonly #changed = new Set<Cell<unknown>>();
  #isScheduled = false;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  mark(cell: Cell<unknown>): void {
    this.#changed.add(cell);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#schedule(() => this.flush());
  }

  flush(): void {
    this.#isScheduled = false;
    const cells = [...this.#changed];
    this.#changed.clear();
    for (const cell of cells) cell.publish();
  }
}

/** Faster updates are not readable, and drawing a book is the most expensive part of a message. */
const FLUSH_EVERY_MS = 100;

/** Flushes in the next frame after a pause, otherwise in the first frame after the interval. */
export function pacedFrames(
  frame: (draw: () => void) => void,
  clock: { now(): number; after(ms: number, run: () => void): void },
): Schedule {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (flush) => {
    const draw = () =>
      frame(() => {
        lastMs = clock.now();
        flush();
      });
    const waitMs = lastMs + FLUSH_EVERY_MS - clock.now();
    if (waitMs <= 0) draw();
    else clock.after(waitMs, draw);
  };
}

/** A hidden page gets no frames; its cells are updated in the first frame after it is shown. */
export const frameFlusher = new Flusher(
  pacedFrames((draw) => requestAnimationFrame(draw), {
    now: () => performance.now(),
    after: (ms, run) => setTimeout(run, ms),
  }),
);

export class Cell<Value> {
  readonly #flusher: Flusher;
  readonly #listeners = new Set<() => void>();
  #latest: Value;
  #shown: Value;

  constructor(value: Value, flusher: Flusher = frameFlusher) {
    this.#latest = value;
    this.#shown = value;
    this.#flusher = flusher;
  }

  /** Latest value, possibly not shown yet. */
  get latest(): Value {
    return this.#latest;
  }

  set(value: Value): void {
    if (Object.is(value, this.#latest)) return;
    this.#latest = value;
    this.#flusher.mark(this as Cell<unknown>);
  }

  /** Called by the flusher. */
  publish(): void {
    if (Object.is(this.#latest, this.#shown)) return;
    this.#shown = this.#latest;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Value shown by views, the same for all of them within a frame. */
  readonly shown = (): Value => this.#shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
