// Key file: the seed, encrypted with AES-256-GCM under a key that scrypt derives from two
// passphrases, so two people are needed to start the signer. Never contains the words.

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';

const MEMORY_PER_BLOCK = 128;
/** About 256 MB and half a second. */
const SCRYPT = { N: 2 ** 18, r: 8, p: 1 };
const KEY_BYTES = 32;
const SALT_BYTES = 32;
const NONCE_BYTES = 12;
const SEED_BYTES = 64;
const PASSPHRASE_LENGTH_MIN = 12;
const FORM = 'rialto signer keys 1';

export type Passphrases = readonly [one: string, other: string];

/** The passphrases are wrong, or the file is damaged. */
export class KeyFileFault extends Error {
  override readonly name = 'KeyFileFault';
  readonly isConfiguration = true;
}

/** Throws unless there are two different lines of sufficient length. */
export function readPassphrases(text: string): Passphrases {
  const lines = text.split('\n').filter((line) => line !== '');
  const [one, other] = lines;
  const areLong = lines.every((line) => line.length >= PASSPHRASE_LENGTH_MIN);
  if (lines.length === 2 && one !== other && areLong) return [one, other];
  const form = `${PASSPHRASE_LENGTH_MIN} characters or more, one per line`;
  throw new KeyFileFault(`expected two different passphrases of ${form}`);
}

/** Returns the text of the file. */
export function sealSeed(seed: Uint8Array, passphrases: Passphrases): string {
  if (seed.length !== SEED_BYTES) throw new RangeError(`a seed has ${SEED_BYTES} bytes`);
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrases, salt), nonce);
  cipher.setAAD(Buffer.from(FORM));
  const sealed = Buffer.concat([cipher.update(seed), cipher.final(), cipher.getAuthTag()]);
  const [saltText, nonceText, sealedText] = [salt, nonce, sealed].map((bytes) =>
    bytes.toString('base64url'),
  );
  const fields = { form: FORM, salt: saltText, nonce: nonceText, sealed: sealedText };
  return `${JSON.stringify(fields, undefined, 2)}\n`;
}

/** Throws a KeyFileFault if a passphrase is wrong or the file was changed. */
export function openSeed(text: string, passphrases: Passphrases): Uint8Array {
  try {
    const { form, nonce, salt, sealed } = JSON.parse(text) as Record<string, string>;
    if (form !== FORM) throw new Error(`unknown form ${form}`);
    const bytes = Buffer.from(sealed, 'base64url');
    const key = keyOf(passphrases, Buffer.from(salt, 'base64url'));
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'));
    decipher.setAAD(Buffer.from(FORM));
    decipher.setAuthTag(bytes.subarray(SEED_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, SEED_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new KeyFileFault('the key file cannot be opened: wrong passphrases or a damaged file', {
      cause,
    });
  }
}

function keyOf([one, other]: Passphrases, salt: Uint8Array): Buffer {
  // The length separates the passphrases: "ab" and "c" differ from "a" and "bc".
  const secret = `${one.length}:${one}${other}`;
  const maxmem = 2 * MEMORY_PER_BLOCK * SCRYPT.N * SCRYPT.r;
  return scryptSync(secret, salt, KEY_BYTES, { ...SCRYPT, maxmem });
}
