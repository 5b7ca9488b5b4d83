// Envelope encryption of everything secret or personal in the registry. Each value has its own data
// key, and a key-encryption key that is never in the database encrypts the data keys. A value opens
// only for the text that it was bound to, so a value that was copied to another row is useless.

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
} from 'node:crypto';

/** The length of a key in the key file, and of a data key. */
export const VAULT_KEY_BYTES = 32;
/** The number of the only key, until the first rotation. */
export const FIRST_KEK_ID = 1;

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;
const WRAPPED_BYTES = HEAD_BYTES + VAULT_KEY_BYTES;
const CIPHER = 'aes-256-gcm';
/** Labels are constants of the code; a label made from data would fill the memory. */
const LABELS_MAX = 100;
const FINGERPRINT_CHARACTERS = 16;

/** A sealed value, as two columns: the key-encryption key's number and the bytes. */
export interface Sealed {
  readonly kekId: number;
  readonly sealed: Uint8Array;
}

/** The value does not open: sealed with another key, bound to another text, or changed since. */
export class SealFault extends Error {
  override readonly name = 'SealFault';
}

/** The keys of a key file by number. */
export type Keys = ReadonlyMap<number, Uint8Array>;

export interface VaultOptions {
  /** Seals new values. */
  readonly activeId?: number;
  /** Reads the key file again; called for a number that is not known. */
  readonly reload?: () => Keys;
}

export class Vault {
  readonly #keys = new Map<number, RootKey>();
  readonly #reload: (() => Keys) | undefined;
  #activeId: number;

  /** The active key seals; all of them open. */
  constructor(keys: Keys, { activeId = FIRST_KEK_ID, reload }: VaultOptions = {}) {
    this.#reload = reload;
    this.#activeId = activeId;
    this.add(keys);
    this.#keyOf(activeId);
  }

  get activeId(): number {
    return this.#activeId;
  }

  /** Throws SealFault if a known number names another key: nothing is added. */
  add(keys: Keys): void {
    for (const [id, key] of keys) {
      if (key.length !== VAULT_KEY_BYTES) {
        throw new RangeError(`expected a key of ${VAULT_KEY_BYTES} bytes, got ${key.length}`);
      }
      const known = this.#keys.get(id);
      if (known !== undefined && known.fingerprint !== fingerprintOf(key)) {
        throw new SealFault(`key ${id} of the key file has changed`);
      }
    }
    for (const [id, key] of keys) {
      if (!this.#keys.has(id)) this.#keys.set(id, new RootKey(key));
    }
  }

  /** Makes this key the sealing key. Throws SealFault if the key file does not have it. */
  activate(id: number): void {
    this.#keyOf(id);
    this.#activeId = id;
  }

  /** Undefined if the key file does not have it. Not a secret. */
  fingerprint(id: number): string | undefined {
    return this.#find(id)?.fingerprint;
  }

  /** `bound` names the row and the fields that must not change: `totp 17`. */
  seal(bound: string, plain: Uint8Array | string): Sealed {
    const { key, sealed: wrapped, kekId } = this.createDataKey(bound);
    return { kekId, sealed: Buffer.concat([wrapped, sealWith(key, bound, plain)]) };
  }

  /** Throws SealFault if it was sealed for anything else. */
  open(bound: string, sealed: Sealed): Buffer {
    const dataKey = this.openDataKey(bound, sealed);
    return openWith(dataKey, bound, sealed.sealed.subarray(WRAPPED_BYTES));
  }

  /** A new key, and the same key sealed: for values that are stored apart from their key. */
  createDataKey(bound: string): Sealed & { readonly key: Uint8Array } {
    const key = randomBytes(VAULT_KEY_BYTES);
    const kekId = this.#activeId;
    return { key, kekId, sealed: encrypt(this.#keyOf(kekId).encryption, bound, key) };
  }

  openDataKey(bound: string, { kekId, sealed }: Sealed): Buffer {
    return decrypt(this.#keyOf(kekId).encryption, bound, sealed.subarray(0, WRAPPED_BYTES));
  }

  /** The same value under the active key-encryption key; only the data key is encrypted again. */
  rewrap(bound: string, value: Sealed): Sealed {
    const kekId = this.#activeId;
    const wrapped = encrypt(this.#keyOf(kekId).encryption, bound, this.openDataKey(bound, value));
    return { kekId, sealed: Buffer.concat([wrapped, value.sealed.subarray(WRAPPED_BYTES)]) };
  }

  /** A keyed hash of 32 bytes, to store and to find values that are too short for a plain one. */
  mac(label: string, text: string): Buffer {
    return this.#keyOf(this.#activeId).mac(label, text);
  }

  /** The keyed hash under every key, the active one first: finds values from before a rotation. */
  macs(label: string, text: string): Buffer[] {
    return this.#activeFirst().map((key) => key.mac(label, text));
  }

  /** Keys for another purpose, the active one first: the same on every gateway. */
  deriveKeys(label: string): Uint8Array[] {
    return this.#activeFirst().map((key) => key.derive(label));
  }

  #activeFirst(): RootKey[] {
    const active = this.#keyOf(this.#activeId);
    if (this.#keys.size === 1) return [active];
    return [active, ...[...this.#keys.values()].filter((key) => key !== active)];
  }

  #keyOf(id: number): RootKey {
    const key = this.#find(id);
    if (key === undefined) throw new SealFault(`the key file has no key ${id}`);
    return key;
  }

  #find(id: number): RootKey | undefined {
    if (!this.#keys.has(id) && this.#reload !== undefined) {
      try {
        this.add(this.#reload());
      } catch (cause) {
        throw new SealFault(`the key file has no key ${id} and cannot be read again`, { cause });
      }
    }
    return this.#keys.get(id);
  }
}

/** A key of the key file, and the keys that are derived from it: HKDF costs more than a hash. */
class RootKey {
  readonly fingerprint: string;
  readonly encryption: Uint8Array;
  readonly #root: Uint8Array;
  readonly #derived = new Map<string, Uint8Array>();

  constructor(key: Uint8Array) {
    this.#root = key.slice();
    this.fingerprint = fingerprintOf(key);
    this.encryption = this.derive('seal');
  }

  derive(label: string): Uint8Array {
    const known = this.#derived.get(label);
    if (known !== undefined) return known;
    if (this.#derived.size === LABELS_MAX) throw new RangeError(`more than ${LABELS_MAX} labels`);
    const key = hkdfSync('sha256', this.#root, '', `rialto ${label}`, VAULT_KEY_BYTES);
    const derived = new Uint8Array(key);
    this.#derived.set(label, derived);
    return derived;
  }

  mac(label: string, text: string): Buffer {
    return createHmac('sha256', this.derive(`mac ${label}`))
      .update(text)
      .digest();
  }
}

/** Recognizes a key without telling anything about it. */
export function fingerprintOf(key: Uint8Array): string {
  const hash = createHash('sha256').update('rialto fingerprint ').update(key).digest('hex');
  return hash.slice(0, FINGERPRINT_CHARACTERS);
}

/** Seals a value with a data key that is stored elsewhere. */
export function sealWith(key: Uint8Array, bound: string, plain: Uint8Array | string): Buffer {
  return encrypt(key, bound, Buffer.from(plain));
}

/** Throws SealFault if it was sealed for anything else. */
export function openWith(key: Uint8Array, bound: string, sealed: Uint8Array): Buffer {
  return decrypt(key, bound, sealed);
}

function encrypt(key: Uint8Array, bound: string, plain: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(bound));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Uint8Array.of(VERSION), nonce, cipher.getAuthTag(), sealed]);
}

function decrypt(key: Uint8Array, bound: string, sealed: Uint8Array): Buffer {
  if (sealed.length < HEAD_BYTES || sealed[0] !== VERSION) {
    throw new SealFault('not a sealed value of this version');
  }
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new SealFault('sealed with another key, for another row, or changed', { cause });
  }
}
