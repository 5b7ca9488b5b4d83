// Live values: messages write into cells as often as they like, and views hear of the last value
// once per frame. A frame with nothing new costs nothing.

export type Schedule = (flush: () => void) => void;

/** Collects changed cells and publishes all of them in one go. */
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

/** A hidden page gets no frames; its cells catch up with the first frame after it is shown. */
const onFrame: Schedule = (flush) => requestAnimationFrame(flush);
export const frameFlusher = new Flusher(onFrame);

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

  /** The newest value, possibly not shown yet. */
  get latest(): Value {
    return this.#latest;
  }

  set(value: Value): void {
    if (Object.is(value, this.#latest)) return;
    this.#latest = value;
    this.#flusher.mark(this as Cell<unknown>);
  }

  /** Called by the flusher, once per frame at most. */
  publish(): void {
    if (Object.is(this.#latest, this.#shown)) return;
    this.#shown = this.#latest;
    for (const listener of [...this.#listeners]) listener();
  }

  /** The value that views show: the same for all of them within a frame. */
  readonly shown = (): Value => this.#shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
