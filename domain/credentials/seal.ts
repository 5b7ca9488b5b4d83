// Envelope encryption of API secrets: each has its own data key, and the data keys are encrypted
// with a key that is never in the database. A secret opens only for the id, user, kind, scopes and
// role that it was sealed for, so a changed row is useless.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { KeyBinding, SealedSecret } from './keys.ts';

/** The length of the access key, the only key that is not stored sealed. */
export const ACCESS_KEY_BYTES = 32;

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;
const CIPHER = 'aes-256-gcm';

/** The secret does not open: sealed with another key, for another row, or changed since. */
export class SealFault extends Error {
  override readonly name = 'SealFault';
}

export class Seal {
  readonly #accessKey: Uint8Array;
  readonly #encryptionKey: Uint8Array;

  constructor(accessKey: Uint8Array) {
    if (accessKey.length !== ACCESS_KEY_BYTES) {
      throw new RangeError(
        `expected an access key of ${ACCESS_KEY_BYTES} bytes, got ${accessKey.length}`,
      );
    }
    this.#accessKey = accessKey.slice();
    this.#encryptionKey = this.deriveKey('seal');
  }

  seal(binding: KeyBinding, secret: string): SealedSecret {
    const bound = boundText(binding);
    const dataKey = randomBytes(ACCESS_KEY_BYTES);
    return {
      sealedSecret: encrypt(dataKey, bound, Buffer.from(secret)),
      sealedDataKey: encrypt(this.#encryptionKey, bound, dataKey),
    };
  }

  /** Throws SealFault if it was sealed for anything else. */
  open(binding: KeyBinding, { sealedDataKey, sealedSecret }: SealedSecret): string {
    const bound = boundText(binding);
    const dataKey = decrypt(this.#encryptionKey, bound, sealedDataKey);
    return decrypt(dataKey, bound, sealedSecret).toString();
  }

  /** Derives a 32-byte key for another purpose: the same for the same label on every gateway. */
  deriveKey(label: string): Uint8Array {
    const info = `rialto ${label}`;
    return new Uint8Array(hkdfSync('sha256', this.#accessKey, '', info, ACCESS_KEY_BYTES));
  }
}

// Every field has a fixed place: no two bindings have the same text.
function boundText(binding: KeyBinding): Buffer {
  const { canRead, canTrade, canWithdraw, id, kind, role, user } = binding;
  const scopes = [canRead, canTrade, canWithdraw].map(Number).join('');
  return Buffer.from(`rialto-key ${id} ${user} ${kind} ${scopes} ${role}`);
}

function encrypt(key: Uint8Array, bound: Uint8Array, plain: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(bound);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Uint8Array.of(VERSION), nonce, cipher.getAuthTag(), sealed]);
}

function decrypt(key: Uint8Array, bound: Uint8Array, sealed: Uint8Array): Buffer {
  if (sealed.length < HEAD_BYTES || sealed[0] !== VERSION) {
    throw new SealFault('not a sealed secret of this version');
  }
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(bound);
  decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new SealFault('sealed with another key, for another row, or changed', { cause });
  }
}
