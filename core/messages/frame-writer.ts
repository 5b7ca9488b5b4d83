// A growing buffer, reused for every frame. Handles records and texts; the codec handles messages.

import { CodecFault } from './codec-fault.ts';
import { FRAME_BYTES_MAX, RECORD_HEADER_BYTES, TEXT_BYTES_MAX } from './frame-limits.ts';

const INITIAL_BYTES = 64 * 1024;
// A frame can exceed its limit by one record before it is rejected.
const BUFFER_BYTES_MAX = 2 * FRAME_BYTES_MAX;
const utf8 = new TextEncoder();

/**
 * The buffer holds everything written since reset(). reserve() and openRecord() ensure capacity and
 * may replace `bytes` and `view`; take() and text() use that capacity.
 */
export class FrameWriter {
  bytes = new Uint8Array(INITIAL_BYTES);
  view = new DataView(this.bytes.buffer);
  at = 0;
  /** The number of complete records in the current frame. */
  records = 0;

  reset(): void {
    this.at = 0;
    this.records = 0;
  }

  /** A view of the written bytes, valid until the next reset(). Copy it to keep it. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.at);
  }

  reserve(byteCount: number): void {
    if (this.at + byteCount > this.bytes.length) this.#grow(byteCount);
  }

  /** Opens a record and returns the offset of its fields, for closeRecord(). */
  openRecord(code: number, fieldsBytesMax: number): number {
    this.reserve(RECORD_HEADER_BYTES + fieldsBytesMax);
    this.bytes[this.at] = code;
    this.at += RECORD_HEADER_BYTES;
    return this.at;
  }

  /** Writes the two-byte length of the fields before them. */
  closeRecord(start: number): void {
    this.view.setUint16(start - 2, this.at - start, true);
  }

  refuseKind(message: { readonly kind: string }): never {
    throw new CodecFault('unknown_kind', `'${message.kind}' has no layout`);
  }

  /** Claims `byteCount` bytes and returns their offset. */
  take(byteCount: number): number {
    const { at } = this;
    this.at = at + byteCount;
    return at;
  }

  /** Writes a two-byte length, then UTF-8. */
  text(value: string): void {
    const { length } = value;
    if (length > TEXT_BYTES_MAX) refuseLongText(length);
    const { bytes } = this;
    const start = this.at + 2;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) {
        this.#unicode(value);
        return;
      }
      bytes[start + index] = code;
    }
    this.view.setUint16(this.at, length, true);
    this.at = start + length;
  }

  #unicode(value: string): void {
    if (!value.isWellFormed()) {
      throw new CodecFault('text_not_unicode', 'the text has a lone surrogate');
    }
    const encoded = utf8.encode(value);
    if (encoded.length > TEXT_BYTES_MAX) refuseLongText(encoded.length);
    this.view.setUint16(this.at, encoded.length, true);
    this.bytes.set(encoded, this.at + 2);
    this.at += 2 + encoded.length;
  }

  #grow(byteCount: number): void {
    const needed = this.at + byteCount;
    if (needed > BUFFER_BYTES_MAX) {
      throw new CodecFault('frame_too_large', `more than ${FRAME_BYTES_MAX} bytes`);
    }
    const grown = new Uint8Array(Math.max(2 * this.bytes.length, needed));
    grown.set(this.written());
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }
}

function refuseLongText(length: number): never {
  throw new CodecFault('text_too_long', `${length} exceeds ${TEXT_BYTES_MAX} bytes`);
}
