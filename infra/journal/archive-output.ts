// One hash of everything that the frames of a segment gave, so that a replay can prove that it
// gives the same. Each segment begins anew: a replica that starts at any segment can make it.

import { createHash } from 'node:crypto';
import type { EventPart } from './event-batch.ts';

export class SegmentOutput {
  readonly #hash = createHash('sha256');

  /** What the next frame gave, in its parts. */
  add(parts: readonly Pick<EventPart, 'bytes'>[]): void {
    for (const { bytes } of parts) this.#hash.update(bytes);
  }

  /** SHA-256 of all bytes so far, hexadecimal. */
  outputHash(): string {
    return this.#hash.copy().digest('hex');
  }
}
