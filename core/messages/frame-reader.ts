// Reads untrusted bytes: no read passes the end, and no text is created before its length is
// checked. Handles records and texts; the generated codec handles messages.

import { ASCII_TEXT_MAX, asciiText } from './ascii-text.generated.ts';
import { CodecFault } from './codec-fault.ts';
import { RECORD_HEADER_BYTES, TEXT_BYTES_MAX } from './frame-limits.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A cursor at `at`. Within a record, reads are only limited by the end of the bytes; closeRecord()
 * checks that the fields end exactly where the record does.
 */
export class FrameReader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  at = 0;
  /** The schema version of the bytes. Older versions lack the fields appended since. */
  version = 0;
  #recordEnd = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Opens a record and returns the code of its kind. */
  openRecord(): number {
    const at = this.take(RECORD_HEADER_BYTES);
    this.#recordEnd = this.at + this.view.getUint16(at + 1, true);
    return this.bytes[at];
  }

  /** Closes a record whose fields have all been read. */
  closeRecord(): void {
    if (this.at !== this.#recordEnd) {
      const detail = `the record ends at byte ${this.#recordEnd}, its fields at ${this.at}`;
      throw new CodecFault('wrong_length', detail);
    }
  }

  refuseKind(code: number): never {
    throw new CodecFault('unknown_kind', `no kind has code ${code} in schema ${this.version}`);
  }

  /** Consumes `byteCount` bytes and returns their offset. */
  take(byteCount: number): number {
    const { at } = this;
    if (at + byteCount > this.bytes.length) {
      throw new CodecFault('truncated', `expected ${byteCount} bytes at byte ${at}`);
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
