// Writes the few kinds of value that a snapshot has, little-endian, into a buffer that grows.

import type { Atoms } from '../money/index.ts';

const FIRST_BYTES = 65_536;
/** No single value is longer: checked once before each. */
const VALUE_BYTES_MAX = 64;

export class SnapshotWriter {
  #buffer = new ArrayBuffer(FIRST_BYTES);
  #view = new DataView(this.#buffer);
  #at = 0;

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

  /** ASCII of at most 63 characters. */
  text(value: string): void {
    this.#makeRoom();
    this.#view.setUint8(this.#at++, value.length);
    for (let index = 0; index < value.length; index++) {
      this.#view.setUint8(this.#at++, value.charCodeAt(index));
    }
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.#buffer, 0, this.#at);
  }

  #makeRoom(): void {
    if (this.#at + VALUE_BYTES_MAX <= this.#buffer.byteLength) return;
    this.#buffer = this.#buffer.transfer(this.#buffer.byteLength * 2);
    this.#view = new DataView(this.#buffer);
  }
}
