// One growing buffer that is used again for every frame. Knows records and texts, not messages.

import { CodecFault } from './codec-fault.ts';
import { FRAME_BYTES_MAX, RECORD_HEADER_BYTES, TEXT_BYTES_MAX } from './frame-limits.ts';

const INITIAL_BYTES = 64 * 1024;
// A frame may pass its limit by one record before it is refused.
const BUFFER_BYTES_MAX = 2 * FRAME_BYTES_MAX;
const utf8 = new TextEncoder();

/**
 * The buffer holds what was written since reset(). reserve() and openRecord() make room, and
 * may put another buffer in the place of `bytes` and `view`; take() and text() use that room.
 */
export class FrameWriter {
  bytes = new Uint8Array(INITIAL_BYTES);
  view = new DataView(this.bytes.buffer);
  at = 0;
  /** Complete records of the frame being written. */
  records = 0;

  reset(): void {
    this.at = 0;
    this.records = 0;
  }

  /** A view of what was written: valid until the next reset. Copy it to keep it. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.at);
  }

  reserve(byteCount: number): void {
    if (this.at + byteCount > this.bytes.length) this.#grow(byteCount);
  }

  /** Starts a record and says where its fields start, which closeRecord() wants to know. */
  openRecord(code: number, fieldsBytesMax: number): number {
    this.reserve(RECORD_HEADER_BYTES + fieldsBytesMax);
    this.bytes[this.at] = code;
    this.at += RECORD_HEADER_BYTES;
    return this.at;
  }

  /** Puts the length of the fields, two bytes, before them. */
  closeRecord(start: number): void {
    this.view.setUint16(start - 2, this.at - start, true);
  }

  refuseKind(message: { readonly kind: string }): never {
    throw new CodecFault('unknown_kind', `'${message.kind}' has no layout`);
  }

  /** Where the next bytes go. */
  take(byteCount: number): number {
    const { at } = this;
    this.at = at + byteCount;
    return at;
  }

  /** UTF-8 behind its length in bytes, which takes two. */
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
      throw new CodecFault('text_not_unicode', 'a surrogate stands alone');
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
