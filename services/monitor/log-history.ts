// How long the log has had a frame. The monitor samples the log's end to convert a follower's lag
// from frames to time.

interface Sample {
  readonly timeMs: number;
  readonly last: number;
}

/** One hour of samples; a follower further behind has lagged for at least an hour. */
const SAMPLES_MAX = 3_600;

export class LogHistory {
  readonly #samples: Sample[] = [];

  /** Last known frame. */
  get last(): number {
    return this.#samples.at(-1)?.last ?? 0;
  }

  sample(last: number, timeMs: number): void {
    if (last <= this.last) return;
    this.#samples.push({ timeMs, last });
    if (this.#samples.length > SAMPLES_MAX) this.#samples.shift();
  }

  /** Returns how long the log has had a frame after this one; 0 if it has none. */
  behindMs(frame: number, nowMs: number): number {
    const later = this.#samples.find(({ last }) => last > frame);
    return later === undefined ? 0 : Math.max(0, nowMs - later.timeMs);
  }
}
