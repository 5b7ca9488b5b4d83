// Verifies that no message of a user's event stream was lost: each message names its predecessor,
// and a running checksum covers all data. The caller resumes from `position` after a failure.

import { crc32 } from './crc32.ts';

/** The fields of a `private` message that the chain checks. */
export interface EventEnvelope {
  readonly action: string;
  /** The position of the message: `frame.index`. */
  readonly sequence: string;
  /** The position of the previous message; null for a snapshot. */
  readonly previous: string | null;
  readonly checksum: number;
}

export type ChainResult = 'valid' | 'repeat' | 'gap' | 'checksum mismatch';

const DATA = '"data":';

export class EventChain {
  #position: string | undefined;
  /** Undefined until a snapshot or a resumption starts the chain. */
  #checksum: number | undefined;

  constructor(position: string | undefined) {
    this.#position = position;
  }

  /** Everything up to this position has arrived; the stream can resume from it. */
  get position(): string | undefined {
    return this.#position;
  }

  /** `text` is the complete message; `data` is its last field. */
  check(envelope: EventEnvelope, text: string): ChainResult {
    const { action, checksum, previous, sequence } = envelope;
    const isEvent = action === 'event';
    // The start of this chain was not received.
    if (isEvent && this.#checksum === undefined) return 'gap';
    const data = text.slice(text.indexOf(DATA) + DATA.length, -1);
    this.#checksum = crc32(data, isEvent ? this.#checksum : 0);
    if (this.#checksum !== checksum) return this.#broken('checksum mismatch');
    if (action === 'resumed' && sequence !== this.#position) return this.#broken('gap');
    if (isEvent && previous !== this.#position) {
      const isOld = this.#position !== undefined && !isAfter(sequence, this.#position);
      return isOld ? 'repeat' : this.#broken('gap');
    }
    this.#position = sequence;
    return 'valid';
  }

  /** Call for each new subscription: it starts with a snapshot or a resumption. */
  reset(): void {
    this.#checksum = undefined;
  }

  /** Drops the position, so the next subscription starts with a snapshot. */
  forget(): void {
    this.#position = undefined;
  }

  #broken(why: ChainResult): ChainResult {
    this.#checksum = undefined;
    return why;
  }
}

function isAfter(one: string, other: string): boolean {
  const [frame, index] = one.split('.').map(Number);
  const [otherFrame, otherIndex] = other.split('.').map(Number);
  return frame > otherFrame || (frame === otherFrame && index > otherIndex);
}
