// Reads the values of a snapshot. A truncated snapshot throws from the DataView. Changed bytes are
// not detected here; the hash stored next to the snapshot detects them.

import type { Atoms } from '../money/index.ts';
import { asciiOf, assert } from '../structures/index.ts';

/** Maximum length of an entry. An entry is read when this much is available, or at the end. */
const ENTRY_BYTES_MAX = 4_096;

export class SnapshotReader {
  #bytes = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;
  #isComplete = false;

  /** The next entry might be missing. */
  get isShort(): boolean {
    return !this.#isComplete && this.#bytes.length - this.#at < ENTRY_BYTES_MAX;
  }

  /** Adds the next bytes, which are copied, to those not read yet. */
  add(chunk: Uint8Array): void {
    const unread = this.#bytes.subarray(this.#at);
    const bytes = new Uint8Array(unread.length + chunk.length);
    bytes.set(unread);
    bytes.set(chunk, unread.length);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
    this.#at = 0;
  }

  /** Marks the end of the input. */
  complete(): void {
    this.#isComplete = true;
  }

  integer(): number {
    const value = this.#view.getInt32(this.#at, true);
    this.#at += 4;
    return value;
  }

  number(): number {
    const value = this.#view.getFloat64(this.#at, true);
    this.#at += 8;
    return value;
  }

  atoms(): Atoms {
    const value = this.#view.getBigInt64(this.#at, true) as Atoms;
    this.#at += 8;
    return value;
  }

  text(): string {
    const length = this.#bytes[this.#at];
    const start = this.#at + 1;
    this.#at = start + length;
    assert(this.#at <= this.#bytes.length, 'a text ends within its snapshot');
    return asciiOf(this.#bytes.subarray(start, this.#at));
  }

  /** An integer that must be 0 or 1: every state has exactly one encoding. */
  flag(): boolean {
    const value = this.integer();
    assert(value === 0 || value === 1, 'a flag in a snapshot is 0 or 1');
    return value === 1;
  }

  isAtEnd(): boolean {
    return this.#isComplete && this.#at === this.#bytes.length;
  }
}
