// When this process first heard of each frame, so that a drill can ask how long nothing was
// acknowledged. Times are of the machine's steady clock, which all processes share.

export interface FrameHeard {
  readonly atMs: number;
  readonly epoch: number;
  /** When its leader made it, by the wall clock. */
  readonly madeMs: number;
}

/** Which frame is waited for: one of a later epoch, or one made after a moment. */
export interface FrameWanted {
  readonly sinceMs: number;
  readonly epochAfter?: number | undefined;
  readonly madeAfterMs?: number | undefined;
}

export function steadyMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export class FramesHeard {
  readonly #heard: FrameHeard[] = [];
  #last = 0;

  hear(sequence: number, frame: FrameHeard): boolean {
    if (sequence <= this.#last) return false;
    this.#last = sequence;
    this.#heard.push(frame);
    return true;
  }

  first(wanted: FrameWanted): FrameHeard | undefined {
    return this.#heard.slice(this.#indexSince(wanted.sinceMs)).find((one) => fits(one, wanted));
  }

  /** The longest time without a new frame, from then until now. */
  longestGapMs(sinceMs: number, nowMs: number): number {
    let [longest, before] = [0, sinceMs];
    for (const { atMs } of this.#heard.slice(this.#indexSince(sinceMs))) {
      longest = Math.max(longest, atMs - before);
      before = atMs;
    }
    return Math.max(longest, nowMs - before);
  }

  #indexSince(sinceMs: number): number {
    let index = this.#heard.length;
    while (index > 0 && this.#heard[index - 1].atMs >= sinceMs) index--;
    return index;
  }
}

function fits({ epoch, madeMs }: FrameHeard, { epochAfter, madeAfterMs }: FrameWanted): boolean {
  if (epochAfter !== undefined && epoch <= epochAfter) return false;
  return madeAfterMs === undefined || madeMs > madeAfterMs;
}
