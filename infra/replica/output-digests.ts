// One number for everything that each run of frames gave, so that two replicas can see whether
// they agree. Runs begin at fixed sequences: a replica that starts anywhere compares from the next
// one on, and nothing of this has to be kept. A checksum, not a proof: replicas do not lie.

import { crc32 } from 'node:zlib';
import type { EventPart } from '../journal/index.ts';

/** Frames in a run. */
export const DIGEST_FRAMES = 64;
/** Finished runs that are remembered; a leader tells of them more often than they are made. */
const FINISHED_MAX = 16;

export interface OutputDigest {
  /** The last frame of the run. */
  readonly sequence: number;
  readonly digest: number;
}

export class OutputDigests {
  readonly #finished: OutputDigest[] = [];
  #digest = 0;
  /** The frame that the run must go on with; a run that was joined late does not count. */
  #next = 0;

  /** Oldest first. */
  get finished(): readonly OutputDigest[] {
    return this.#finished;
  }

  add(sequence: number, parts: readonly EventPart[]): void {
    if (sequence % DIGEST_FRAMES === 1) {
      this.#digest = 0;
      this.#next = sequence;
    }
    if (sequence !== this.#next) return;
    for (const { bytes } of parts) this.#digest = crc32(bytes, this.#digest);
    this.#next++;
    if (sequence % DIGEST_FRAMES !== 0) return;
    this.#finished.push({ sequence, digest: this.#digest });
    if (this.#finished.length > FINISHED_MAX) this.#finished.shift();
  }
}
