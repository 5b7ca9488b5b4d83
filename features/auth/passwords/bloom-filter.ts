// Bloom filter: a set of texts in a few bits each. It finds every text that was added, and about
// one in ten thousand others is a false hit.

import { createHash } from 'node:crypto';

/** For one false hit in ten thousand: 13.3 hashes and 19.2 bits per text. */
const HASHES = 13;
const BITS_PER_TEXT = 19.2;
const BITS_PER_BYTE = 8;

export class BloomFilter {
  readonly bytes: Uint8Array;

  /** A stored filter, including its length. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  static of(texts: Iterable<string>): BloomFilter {
    const all = [...texts];
    const length = Math.ceil((all.length * BITS_PER_TEXT) / BITS_PER_BYTE);
    const filter = new BloomFilter(new Uint8Array(length));
    for (const text of all) {
      for (const bit of filter.#bitsOf(text)) filter.bytes[bit >>> 3] |= 1 << (bit & 7);
    }
    return filter;
  }

  has(text: string): boolean {
    return this.#bitsOf(text).every((bit) => (this.bytes[bit >>> 3] & (1 << (bit & 7))) !== 0);
  }

  #bitsOf(text: string): number[] {
    const digest = createHash('sha256').update(text).digest();
    const [first, step] = [digest.readUInt32LE(0), digest.readUInt32LE(4)];
    const size = this.bytes.length * BITS_PER_BYTE;
    return Array.from({ length: HASHES }, (_, at) => (first + at * step) % size);
  }
}
