// Nkeys: Ed25519 keys in the text form of NATS. Node's own cryptography draws, signs and verifies:
// that of the NATS client is JavaScript and blocks a process for 20 ms at every signature.

import { createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto';
import { base32nopad } from '@scure/base';

export interface Nkey {
  /** `U…` */
  readonly publicKey: string;
  sign(bytes: Uint8Array): Buffer;
}

/** The bytes in front of a key, which make its text begin with `SU` or `U`. */
const SEED = Buffer.from([(18 << 3) | (20 >> 2), (20 << 6) & 0xff]);
const PUBLIC = Buffer.from([20 << 3]);
const KEY_BYTES = 32;
const CHECKSUM_BYTES = 2;
/** RFC 8410: the encoding in front of the 32 bytes of a private key, and of a public key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** Draws a key: the seed of its owner, `SU…`. */
export function drawSeed(): string {
  return textOf(SEED, randomBytes(KEY_BYTES));
}

/** Throws if the text is not the seed of a user. */
export function nkeyOf(seed: string): Nkey {
  const der = Buffer.concat([PKCS8, keyOf(SEED, seed)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return {
    publicKey: textOf(PUBLIC, Buffer.from(x, 'base64url')),
    sign: (bytes) => sign(null, bytes, key),
  };
}

/** Throws if the text is not the public key of a user. */
export function isSignedBy(publicKey: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  const der = Buffer.concat([SPKI, keyOf(PUBLIC, publicKey)]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, bytes, key, signature);
}

function textOf(prefix: Buffer, key: Buffer): string {
  const bytes = Buffer.concat([prefix, key]);
  return base32nopad.encode(Buffer.concat([bytes, checksumOf(bytes)]));
}

function keyOf(prefix: Buffer, text: string): Buffer {
  const all = Buffer.from(base32nopad.decode(text));
  const bytes = all.subarray(0, -CHECKSUM_BYTES);
  const isRight =
    bytes.length === prefix.length + KEY_BYTES &&
    bytes.subarray(0, prefix.length).equals(prefix) &&
    all.subarray(-CHECKSUM_BYTES).equals(checksumOf(bytes));
  // The text might be a secret, so the message does not have it.
  if (!isRight) throw new Error('not an nkey of a user');
  return bytes.subarray(prefix.length);
}

/** CRC-16 as in XMODEM, the lower byte first. */
function checksumOf(bytes: Uint8Array): Buffer {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 0x8000) === 0 ? sum << 1 : (sum << 1) ^ 0x1021;
    sum &= 0xffff;
  }
  return Buffer.from([sum & 0xff, sum >> 8]);
}
