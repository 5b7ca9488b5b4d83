// A 128-bit hash of bytes for comparing states. Fast and identical on every machine, but not
// cryptographic: against forgery the journal chains frames with a cryptographic hash.

const LANES = 4;
const BLOCK_BYTES = LANES * 4;
const PRIMES = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f] as const;

export function hashBytes(bytes: Uint8Array): string {
  const hash = new BytesHash();
  hash.add(bytes);
  return hash.end();
}

/** The same hash for bytes in pieces of any size. */
export class BytesHash {
  #a: number = PRIMES[0];
  #b: number = PRIMES[1];
  #c: number = PRIMES[2];
  #d: number = PRIMES[3];
  /** The bytes after the last full block. */
  readonly #rest = new Uint8Array(BLOCK_BYTES);
  #restBytes = 0;
  #bytes = 0;

  add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    let from = 0;
    if (this.#restBytes > 0) {
      from = Math.min(BLOCK_BYTES - this.#restBytes, bytes.length);
      this.#rest.set(bytes.subarray(0, from), this.#restBytes);
      this.#restBytes += from;
      if (this.#restBytes < BLOCK_BYTES) return;
      this.#restBytes = 0;
      this.#addBlocks(this.#rest);
    }
    const end = bytes.length - ((bytes.length - from) % BLOCK_BYTES);
    this.#addBlocks(bytes.subarray(from, end));
    this.#rest.set(bytes.subarray(end));
    this.#restBytes = bytes.length - end;
  }

  end(): string {
    let [a, b, c, d] = [this.#a, this.#b, this.#c, this.#d];
    for (let at = 0; at < this.#restBytes; at++) a = round(a ^ d, this.#rest[at]);
    a ^= this.#bytes;
    // Three final rounds spread the last block to every lane.
    for (let turn = 0; turn < 3; turn++) {
      a = round(a, d);
      b = round(b, a);
      c = round(c, b);
      d = round(d, c);
    }
    return [a, b, c, d].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
  }

  #addBlocks(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let [a, b, c, d] = [this.#a, this.#b, this.#c, this.#d];
    for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
      a = round(a, view.getInt32(at, true)) ^ d;
      b = round(b, view.getInt32(at + 4, true)) ^ a;
      c = round(c, view.getInt32(at + 8, true)) ^ b;
      d = round(d, view.getInt32(at + 12, true)) ^ c;
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
  }
}

function round(lane: number, word: number): number {
  const mixed = (lane + Math.imul(word, 0xc2b2ae3d)) | 0;
  return Math.imul((mixed << 13) | (mixed >>> 19), 0x9e3779b1);
}
