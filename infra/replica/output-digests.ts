// One checksum per run of frames over all events of the run, so two replicas can check whether
// they agree. Runs begin at fixed sequences: a replica that starts anywhere compares from the next
// run on, and stores nothing. This detects bugs, not forgery.

import { crc32 } from 'node:zlib';
import { afterVersion } from '../../core/messages/index.ts';
import type { EventPart } from '../journal/index.ts';

/** Frames in a run. */
export const DIGEST_FRAMES = 64;
/** Finished runs to remember; a leader publishes them more often than they are made. */
const FINISHED_MAX = 16;

export interface OutputDigest {
  /** The last frame of the run. */
  readonly sequence: number;
  readonly digest: number;
}

export class OutputDigests {
  readonly #finished: OutputDigest[] = [];
  #digest = 0;
  /** The next frame of the run; a run that was joined in the middle has no digest. */
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
    for (const { bytes } of parts) this.#digest = crc32(afterVersion(bytes), this.#digest);
    this.#next++;
    if (sequence % DIGEST_FRAMES !== 0) return;
    this.#finished.push({ sequence, digest: this.#digest });
    if (this.#finished.length > FINISHED_MAX) this.#finished.shift();
  }
}
