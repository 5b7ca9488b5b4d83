// Base58 with a checksum of four bytes, as Bitcoin, TRON and the XRP Ledger use it, each with its
// alphabet.

import { hash } from 'node:crypto';
import { type BytesCoder, base58, base58xrp, utils } from '@scure/base';

/** Longer texts are no addresses. Decoding takes quadratic time. */
const LENGTH_MAX = 64;

const ALPHABETS = { bitcoin: checked(base58), xrp: checked(base58xrp) };

/** The bytes without their checksum. Undefined if the text is not valid. */
export function decodeChecked(
  alphabet: keyof typeof ALPHABETS,
  text: string,
): Uint8Array | undefined {
  return decodeOrUndefined(ALPHABETS[alphabet], text);
}

export function encodeChecked(alphabet: keyof typeof ALPHABETS, bytes: Uint8Array): string {
  return ALPHABETS[alphabet].encode(bytes);
}

/** The codec throws at a text that it cannot decode. */
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

/** Nobody has the key of it: what is sent there is lost. */
export function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

function checked(coder: BytesCoder): BytesCoder {
  return utils.chain(utils.checksum(4, sha256Twice), coder);
}

function sha256Twice(bytes: Uint8Array): Uint8Array {
  return hash('sha256', hash('sha256', bytes, 'buffer'), 'buffer');
}
