// Base58 with a four-byte checksum, used by Bitcoin, TRON and the XRP Ledger, each with its own
// alphabet.

import { hash } from 'node:crypto';
import { type BytesCoder, base58, base58xrp } from '@scure/base';

/** Decoding takes quadratic time, and no address is longer. */
const LENGTH_MAX = 64;
const CHECKSUM_BYTES = 4;

const ALPHABETS = { bitcoin: checked(base58), xrp: checked(base58xrp) };

/** Returns the bytes without their checksum, or undefined if the text is not valid. */
export function decodeChecked(
  alphabet: keyof typeof ALPHABETS,
  text: string,
): Uint8Array | undefined {
  return decodeOrUndefined(ALPHABETS[alphabet], text);
}

export function encodeChecked(alphabet: keyof typeof ALPHABETS, bytes: Uint8Array): string {
  return ALPHABETS[alphabet].encode(bytes);
}

/** The codec throws on text that it cannot decode. */
export function decodeOrUndefined(
  coder: Pick<BytesCoder, 'decode'>,
  text: string,
): Uint8Array | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  try {
    return coder.decode(text);
  } catch {
    return undefined;
  }
}

/** The zero address has no known key: funds sent there are lost. */
export function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

function checked(coder: BytesCoder): BytesCoder {
  const checksum = (body: Uint8Array) => sha256Twice(body).subarray(0, CHECKSUM_BYTES);
  return {
    encode: (body) => coder.encode(Buffer.concat([body, checksum(body)])),
    decode(text) {
      const bytes = coder.decode(text);
      const body = bytes.subarray(0, -CHECKSUM_BYTES);
      if (Buffer.compare(checksum(body), bytes.subarray(body.length)) === 0) return body;
      throw new Error('the checksum is wrong');
    },
  };
}

function sha256Twice(bytes: Uint8Array): Uint8Array {
  return hash('sha256', hash('sha256', bytes, 'buffer'), 'buffer');
}
