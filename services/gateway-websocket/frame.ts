// A websocket frame that is made once and written to many sockets: text, whole, not masked, not
// compressed. Whoever has one must not change its bytes.

export interface Frame {
  /** Head and payload, as they go over the wire. */
  readonly bytes: Buffer;
}

const FINAL_TEXT = 0x81;
const LENGTH_IN_2_BYTES = 126;
const LENGTH_IN_8_BYTES = 127;
const TWO_BYTES_MAX = 0xffff;

export function textFrame(text: string): Frame {
  const length = Buffer.byteLength(text);
  const headLength = length < LENGTH_IN_2_BYTES ? 2 : length <= TWO_BYTES_MAX ? 4 : 10;
  // Of its own memory: a piece of the pool would keep the whole pool while one socket waits.
  const bytes = Buffer.allocUnsafeSlow(headLength + length);
  bytes[0] = FINAL_TEXT;
  if (headLength === 2) {
    bytes[1] = length;
  } else if (headLength === 4) {
    bytes[1] = LENGTH_IN_2_BYTES;
    bytes.writeUInt16BE(length, 2);
  } else {
    bytes[1] = LENGTH_IN_8_BYTES;
    bytes.writeBigUInt64BE(BigInt(length), 2);
  }
  bytes.write(text, headLength);
  return { bytes };
}

/** Of a value that JSON can say. */
export function jsonFrame(value: unknown): Frame {
  return textFrame(JSON.stringify(value));
}
