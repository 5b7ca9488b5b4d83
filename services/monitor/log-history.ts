// How long the log has had a frame: the monitor samples its end, so that the lag of a follower in
// frames becomes one in time.

interface Sample {
  readonly timeMs: number;
  readonly last: number;
}

/** An hour of samples; who is further behind is so for at least an hour. */
const SAMPLES_MAX = 3_600;

export class LogHistory {
  readonly #samples: Sample[] = [];

  /** The last frame that is known. */
  get last(): number {
    return this.#samples.at(-1)?.last ?? 0;
  }

  sample(last: number, timeMs: number): void {
    if (last <= this.last) return;
    this.#samples.push({ timeMs, last });
    if (this.#samples.length > SAMPLES_MAX) this.#samples.shift();
  }

  /** Since the log has had a frame after this one; 0 if it has none. */
  behindMs(frame: number, nowMs: number): number {
    const later = this.#samples.find(({ last }) => last > frame);
    return later === undefined ? 0 : Math.max(0, nowMs - later.timeMs);
  }
}
