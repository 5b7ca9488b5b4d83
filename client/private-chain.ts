// Proves that nothing of a user's own stream was lost: each message must follow the one before, and
// a checksum runs over all that came. Says what does not fit; whoever asks then resumes.

import { crc32 } from './crc32.ts';

/** A message of the topic `private`, as far as the chain looks at it. */
export interface PrivateEnvelope {
  readonly action: string;
  /** The place of the message: `frame.index`. */
  readonly sequence: string;
  /** The place of the one before; null of a snapshot. */
  readonly previous: string | null;
  readonly checksum: number;
}

export type ChainStep = 'taken' | 'repeat' | 'gap' | 'checksum wrong';

const DATA = '"data":';

export class PrivateChain {
  #position: string | undefined;
  /** Undefined until a snapshot or a resumption begins it. */
  #checksum: number | undefined;

  constructor(position: string | undefined) {
    this.#position = position;
  }

  /** The last place up to which everything came; from there it can be resumed. */
  get position(): string | undefined {
    return this.#position;
  }

  /** `text` is the whole message, of which `data` stands last. */
  take(envelope: PrivateEnvelope, text: string): ChainStep {
    const { action, checksum, previous, sequence } = envelope;
    const isEvent = action === 'event';
    // In the middle of something whose beginning was not seen.
    if (isEvent && this.#checksum === undefined) return 'gap';
    const data = text.slice(text.indexOf(DATA) + DATA.length, -1);
    this.#checksum = crc32(data, isEvent ? this.#checksum : 0);
    if (this.#checksum !== checksum) return this.#broken('checksum wrong');
    if (action === 'resumed' && sequence !== this.#position) return this.#broken('gap');
    if (isEvent && previous !== this.#position) {
      const isOld = this.#position !== undefined && !isAfter(sequence, this.#position);
      return isOld ? 'repeat' : this.#broken('gap');
    }
    this.#position = sequence;
    return 'taken';
  }

  /** The connection, or the subscription, is a new one: it begins with a snapshot or resumes. */
  begin(): void {
    this.#checksum = undefined;
  }

  /** What is kept does not help: only a snapshot will. */
  forget(): void {
    this.#position = undefined;
  }

  #broken(why: ChainStep): ChainStep {
    this.#checksum = undefined;
    return why;
  }
}

function isAfter(one: string, other: string): boolean {
  const [frame, index] = one.split('.').map(Number);
  const [otherFrame, otherIndex] = other.split('.').map(Number);
  return frame > otherFrame || (frame === otherFrame && index > otherIndex);
}
