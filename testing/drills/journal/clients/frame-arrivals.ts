// Time at which this process first received each frame, to measure how long nothing was
// acknowledged. Times use the machine's monotonic clock, which all processes share.

export interface FrameArrival {
  readonly atMs: number;
  readonly epoch: number;
  /** When the leader created it, by the wall clock. */
  readonly madeMs: number;
}

/** Frame to wait for: one of a later epoch, or one created after a moment. */
export interface FrameWanted {
  readonly sinceMs: number;
  readonly epochAfter?: number | undefined;
  readonly madeAfterMs?: number | undefined;
}

export function steadyMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export class FrameArrivals {
  readonly #arrivals: FrameArrival[] = [];
  #last = 0;

  add(sequence: number, frame: FrameArrival): boolean {
    if (sequence <= this.#last) return false;
    this.#last = sequence;
    this.#arrivals.push(frame);
    return true;
  }

  first(wanted: FrameWanted): FrameArrival | undefined {
    return this.#arrivals.slice(this.#indexSince(wanted.sinceMs)).find((one) => fits(one, wanted));
  }

  /** Returns the longest time without a new frame, from then until now. */
  longestGapMs(sinceMs: number, nowMs: number): number {
    let [longest, before] = [0, sinceMs];
    for (const { atMs } of this.#arrivals.slice(this.#indexSince(sinceMs))) {
      longest = Math.max(longest, atMs - before);
      before = atMs;
    }
    return Math.max(longest, nowMs - before);
  }

  #indexSince(sinceMs: number): number {
    let index = this.#arrivals.length;
    while (index > 0 && this.#arrivals[index - 1].atMs >= sinceMs) index--;
    return index;
  }
}

function fits({ epoch, madeMs }: FrameArrival, { epochAfter, madeAfterMs }: FrameWanted): boolean {
  if (epochAfter !== undefined && epoch <= epochAfter) return false;
  return madeAfterMs === undefined || madeMs > madeAfterMs;
}
