// Envelope encryption of everything secret or personal in the registry. Each value has its own data
// key, and a key-encryption key that is never in the database encrypts the data keys. A value opens
// only for the text that it was bound to, so a value that was copied to another row is useless.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** The length of a key in the key file. */
export const VAULT_KEY_BYTES = 32;
/** The number of the only key, until the first rotation. */
export const FIRST_KEK_ID = 1;

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;
const WRAPPED_BYTES = HEAD_BYTES + VAULT_KEY_BYTES;
const CIPHER = 'aes-256-gcm';

/** A sealed value, as two columns: the key-encryption key's number and the bytes. */
export interface Sealed {
  readonly kekId: number;
  readonly sealed: Uint8Array;
}

/** The value does not open: sealed with another key, bound to another text, or changed since. */
export class SealFault extends Error {
  override readonly name = 'SealFault';
}

interface RingKey {
  readonly root: Uint8Array;
  readonly encryption: Uint8Array;
}

export class Vault {
  readonly #keys = new Map<number, RingKey>();
  #activeId: number;

  /** The keys of the key file by number. The active one seals; all of them open. */
  constructor(keys: ReadonlyMap<number, Uint8Array>, activeId: number = FIRST_KEK_ID) {
    this.#activeId = activeId;
    for (const [id, key] of keys) this.#add(id, key);
    this.#keyOf(activeId);
  }

  get activeId(): number {
    return this.#activeId;
  }

  /** `bound` names the row and the fields that must not change: `totp 17`. */
  seal(bound: string, plain: Uint8Array | string): Sealed {
    const aad = Buffer.from(bound);
    const dataKey = randomBytes(VAULT_KEY_BYTES);
    const wrapped = encrypt(this.#keyOf(this.#activeId).encryption, aad, dataKey);
    const sealed = Buffer.concat([wrapped, encrypt(dataKey, aad, Buffer.from(plain))]);
    return { kekId: this.#activeId, sealed };
  }

  /** Throws SealFault if it was sealed for anything else. */
  open(bound: string, { kekId, sealed }: Sealed): Buffer {
    const aad = Buffer.from(bound);
    const dataKey = this.#unwrap(aad, kekId, sealed);
    return decrypt(dataKey, aad, sealed.subarray(WRAPPED_BYTES));
  }

  /** The same value under the active key-encryption key; only the data key is encrypted anew. */
  rewrap(bound: string, { kekId, sealed }: Sealed): Sealed {
    const aad = Buffer.from(bound);
    const dataKey = this.#unwrap(aad, kekId, sealed);
    const wrapped = encrypt(this.#keyOf(this.#activeId).encryption, aad, dataKey);
    return {
      kekId: this.#activeId,
      sealed: Buffer.concat([wrapped, sealed.subarray(WRAPPED_BYTES)]),
    };
  }

  /** A keyed hash of 32 bytes, to store and to find values that are too short for a plain one. */
  mac(label: string, text: string): Buffer {
    return macOf(this.#keyOf(this.#activeId).root, label, text);
  }

  /** The keyed hash under every key, the active one first: finds values of before a rotation. */
  macs(label: string, text: string): Buffer[] {
    return this.#activeFirst().map(({ root }) => macOf(root, label, text));
  }

  /** Keys for another purpose, the active one first: the same on every gateway. */
  deriveKeys(label: string): Uint8Array[] {
    return this.#activeFirst().map(({ root }) => derive(root, label));
  }

  #activeFirst(): RingKey[] {
    const active = this.#keyOf(this.#activeId);
    return [active, ...[...this.#keys.values()].filter((key) => key !== active)];
  }

  #add(id: number, key: Uint8Array): void {
    if (key.length !== VAULT_KEY_BYTES) {
      throw new RangeError(`expected a key of ${VAULT_KEY_BYTES} bytes, got ${key.length}`);
    }
    const root = key.slice();
    this.#keys.set(id, { root, encryption: derive(root, 'seal') });
  }

  #keyOf(id: number): RingKey {
    const key = this.#keys.get(id);
    if (key === undefined) throw new SealFault(`the key file has no key ${id}`);
    return key;
  }

  #unwrap(aad: Uint8Array, kekId: number, sealed: Uint8Array): Buffer {
    return decrypt(this.#keyOf(kekId).encryption, aad, sealed.subarray(0, WRAPPED_BYTES));
  }
}

function derive(root: Uint8Array, label: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', root, '', `rialto ${label}`, VAULT_KEY_BYTES));
}

function macOf(root: Uint8Array, label: string, text: string): Buffer {
  return createHmac('sha256', derive(root, `mac ${label}`))
    .update(text)
    .digest();
}

function encrypt(key: Uint8Array, aad: Uint8Array, plain: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(aad);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Uint8Array.of(VERSION), nonce, cipher.getAuthTag(), sealed]);
}

function decrypt(key: Uint8Array, aad: Uint8Array, sealed: Uint8Array): Buffer {
  if (sealed.length < HEAD_BYTES || sealed[0] !== VERSION) {
    throw new SealFault('not a sealed value of this version');
  }
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(aad);
  decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new SealFault('sealed with another key, for another row, or changed', { cause });
  }
}
