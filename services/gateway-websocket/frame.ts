// A websocket frame built once and written to many sockets: text, unfragmented, unmasked,
// uncompressed. Its bytes must never change.

export interface Frame {
  /** Header and payload, as on the wire. */
  readonly bytes: Buffer;
}

const FINAL_TEXT = 0x81;
const LENGTH_IN_2_BYTES = 126;
const LENGTH_IN_8_BYTES = 127;
const TWO_BYTES_MAX = 0xffff;

export function textFrame(text: string): Frame {
  const length = Buffer.byteLength(text);
  const headLength = length < LENGTH_IN_2_BYTES ? 2 : length <= TWO_BYTES_MAX ? 4 : 10;
  // Not from the pool: a slice would keep the entire pool alive while one socket is slow.
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

/** The value must be JSON-serializable. */
export function jsonFrame(value: unknown): Frame {
  return textFrame(JSON.stringify(value));
}
