// Collects frames and appends them to the archive, one segment at a time. Frames that are not
// archived yet are still in the log, so a crash loses nothing: a restart continues from there.

import {
  type Archive,
  type EventPart,
  SEGMENT_BYTES_MAX,
  SEGMENT_FRAMES_MAX,
  type SegmentDraft,
  type SegmentInfo,
  SegmentOutput,
} from '../../infra/journal/index.ts';

export interface SegmentMakerOptions {
  readonly archive: Archive;
  /** Size at which a segment ends; slightly below the hard limit. */
  readonly segmentBytes: number;
  onArchived(segment: SegmentInfo): void;
  /** Called when `isBehind` has changed: the disk is slower than the log, or no longer is. */
  onPace(): void;
  onFault(reason: string, cause: unknown): void;
}

/** With this many unwritten segments, no frame is read until one of them is written. */
const WAITING_MAX = 16;

export class SegmentMaker {
  readonly #options: SegmentMakerOptions;
  #frames: Uint8Array[] = [];
  #bytes = 0;
  #output = new SegmentOutput();
  #waiting: SegmentDraft[] = [];
  #isWriting = false;

  constructor(options: SegmentMakerOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#frames.length === 0;
  }

  /** While true, the caller must not add frames, to limit memory. */
  get isBehind(): boolean {
    return this.#waiting.length >= WAITING_MAX;
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0 && !this.#isWriting;
  }

  /** Adds the next frame and its events. The bytes are copied. */
  add(frame: Uint8Array, parts: readonly EventPart[]): void {
    if (this.#bytes + frame.length > SEGMENT_BYTES_MAX) this.cut();
    this.#frames.push(new Uint8Array(frame));
    this.#bytes += frame.length;
    this.#output.add(parts);
    const isFull =
      this.#frames.length >= SEGMENT_FRAMES_MAX || this.#bytes >= this.#options.segmentBytes;
    if (isFull) this.cut();
  }

  /** Ends the segment, with the state hash after its last frame if one was taken. */
  cut(stateHash?: string): void {
    if (this.isEmpty) return;
    const outputHash = this.#output.outputHash();
    const checkpoint = stateHash === undefined ? { outputHash } : { outputHash, stateHash };
    this.#waiting.push({ frames: this.#frames, checkpoint });
    this.#frames = [];
    this.#bytes = 0;
    this.#output = new SegmentOutput();
    if (this.#waiting.length === WAITING_MAX) this.#options.onPace();
    if (!this.#isWriting) void this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    const { archive, onArchived, onFault, onPace } = this.#options;
    this.#isWriting = true;
    try {
      for (;;) {
        const wasBehind = this.isBehind;
        const draft = this.#waiting.shift();
        if (draft === undefined) break;
        if (wasBehind && !this.isBehind) onPace();
        onArchived(await archive.appendSegment(draft));
      }
    } catch (fault) {
      onFault('segment not archived', fault);
    } finally {
      this.#isWriting = false;
    }
  }
}
