// How long frames have been pending storage in the archive or in a verified snapshot. Remembers one
// frame per second, with the time at which the log has it.

interface Mark {
  readonly frame: number;
  readonly timeMs: number;
}

const MARK_EVERY_MS = 1_000;
/** One day of unstored frames; later ones are not remembered. */
const MARKS_MAX = 86_400;

export class StoredFrames {
  readonly #marks: Mark[] = [];
  #newest: Mark = { frame: 0, timeMs: 0 };
  #stored = 0;

  /** Time of the oldest unstored frame; undefined if all are stored. */
  get waitingSinceMs(): number | undefined {
    return this.#newest.frame > this.#stored ? this.#marks[0]?.timeMs : undefined;
  }

  applied(frame: number, timeMs: number): void {
    this.#newest = { frame, timeMs };
    const last = this.#marks.at(-1);
    const isDue = last === undefined || timeMs - last.timeMs >= MARK_EVERY_MS;
    if (frame > this.#stored && isDue && this.#marks.length < MARKS_MAX) {
      this.#marks.push(this.#newest);
    }
  }

  /** Called when everything up to this frame is stored. */
  stored(frame: number): void {
    this.#stored = Math.max(this.#stored, frame);
    const kept = this.#marks.findIndex((mark) => mark.frame > frame);
    this.#marks.splice(0, kept === -1 ? this.#marks.length : kept);
    if (this.#marks.length === 0 && this.#newest.frame > frame) this.#marks.push(this.#newest);
  }
}
