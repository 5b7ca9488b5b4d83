// Walks over bytes that may be wrong in any way: no read passes their end, no text is made before
// its length is known to be there. Knows records and texts, not messages.

import { ASCII_TEXT_MAX, asciiText } from './ascii-text.generated.ts';
import { CodecFault } from './codec-fault.ts';
import { RECORD_HEADER_BYTES, TEXT_BYTES_MAX } from './frame-limits.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Stands at `at`. Inside a record, fields may be read up to the end of the bytes; leaving the
 * record checks that they ended where the record does.
 */
export class FrameReader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  at = 0;
  /** The schema version of what is being read: older ones lack the fields appended since. */
  version = 0;
  #recordEnd = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Enters a record and says its kind's code. */
  openRecord(): number {
    const at = this.take(RECORD_HEADER_BYTES);
    this.#recordEnd = this.at + this.view.getUint16(at + 1, true);
    return this.bytes[at];
  }

  /** Leaves a record, all of whose fields have been read. */
  closeRecord(): void {
    if (this.at !== this.#recordEnd) {
      const detail = `the record ends at byte ${this.#recordEnd}, its fields at ${this.at}`;
      throw new CodecFault('wrong_length', detail);
    }
  }

  refuseKind(code: number): never {
    throw new CodecFault('unknown_kind', `no kind has code ${code} in schema ${this.version}`);
  }

  /** Where the next bytes are. */
  take(byteCount: number): number {
    const { at } = this;
    if (at + byteCount > this.bytes.length) {
      throw new CodecFault('truncated', `${byteCount} bytes are wanted at byte ${at}`);
    }
    this.at = at + byteCount;
    return at;
  }

  text(): string {
    const length = this.view.getUint16(this.take(2), true);
    if (length === 0) return '';
    if (length > TEXT_BYTES_MAX) {
      throw new CodecFault('text_too_long', `${length} exceeds ${TEXT_BYTES_MAX} bytes`);
    }
    const start = this.take(length);
    if (length > ASCII_TEXT_MAX || !this.#isAscii(start, length)) {
      return this.#unicode(start, length);
    }
    return asciiText(this.bytes, start, length);
  }

  #isAscii(start: number, length: number): boolean {
    const { bytes, view } = this;
    const end = start + length;
    let at = start;
    let seen = 0;
    for (; at + 4 <= end; at += 4) seen |= view.getInt32(at);
    for (; at < end; at++) seen |= bytes[at];
    return (seen & 0x8080_8080) === 0;
  }

  #unicode(start: number, length: number): string {
    try {
      return utf8.decode(this.bytes.subarray(start, start + length));
    } catch {
      throw new CodecFault('text_not_unicode', `the text at byte ${start} is not UTF-8`);
    }
  }
}
