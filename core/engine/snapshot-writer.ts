// Writes the values of a snapshot, little-endian, into a buffer that is taken when it is full.

import type { Atoms } from '../money/index.ts';

/** Maximum length of a value. Capacity is checked once before each value. */
const VALUE_BYTES_MAX = 128;
/** Room for the entry that completes a chunk; a larger entry grows the buffer. */
const ENTRY_BYTES = 1_024;

export class SnapshotWriter {
  #buffer: ArrayBuffer;
  #view: DataView;
  readonly #chunkBytes: number;
  #at = 0;

  constructor(chunkBytes: number) {
    this.#chunkBytes = chunkBytes;
    this.#buffer = new ArrayBuffer(chunkBytes + ENTRY_BYTES);
    this.#view = new DataView(this.#buffer);
  }

  /** True if a chunk is complete. */
  get isFull(): boolean {
    return this.#at >= this.#chunkBytes;
  }

  /** The bytes written since the last call. They are valid until the next value is written. */
  take(): Uint8Array {
    const bytes = new Uint8Array(this.#buffer, 0, this.#at);
    this.#at = 0;
    return bytes;
  }

  /** A signed or unsigned 32-bit integer; the reader must know which. */
  integer(value: number): void {
    this.#makeRoom();
    this.#view.setInt32(this.#at, value, true);
    this.#at += 4;
  }

  /** A safe integer. */
  number(value: number): void {
    this.#makeRoom();
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  atoms(value: Atoms): void {
    this.#makeRoom();
    this.#view.setBigInt64(this.#at, value, true);
    this.#at += 8;
  }

  /** ASCII of at most 127 characters. */
  text(value: string): void {
    this.#makeRoom();
    this.#view.setUint8(this.#at++, value.length);
    for (let index = 0; index < value.length; index++) {
      this.#view.setUint8(this.#at++, value.charCodeAt(index));
    }
  }

  #makeRoom(): void {
    if (this.#at + VALUE_BYTES_MAX <= this.#buffer.byteLength) return;
    // Copied, not transferred: once any buffer has been detached, V8 checks for it at every access
    // to every typed array of the process.
    const larger = new Uint8Array(this.#buffer.byteLength * 2);
    larger.set(new Uint8Array(this.#buffer, 0, this.#at));
    this.#buffer = larger.buffer;
    this.#view = new DataView(this.#buffer);
  }
}
