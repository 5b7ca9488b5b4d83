// Audit key. Its Ed25519 key pair signs checkpoints, and a key derived from it authenticates every
// entry. The seed is sealed, so write access to the tables is not enough to sign.

import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { idOf, type Statements } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';

const SEED_BYTES = 32;
const MAC_KEY_BYTES = 32;
/** DER prefixes of an Ed25519 seed and of a public key (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX_BYTES = 12;
/** The only row of its table. */
const KEY_ID = 1;

/** Signer name in a note. */
const SIGNER_NAME = 'rialto-audit';
const KEY_HASH_BYTES = 4;
/** Ed25519 in a signed note. */
const SIGNATURE_KIND = 1;

export class AuditSigner {
  readonly #seed: Uint8Array;
  readonly #macKey: Uint8Array;
  // Created when needed: an entry needs only its MAC.
  #pair: KeyPair | undefined;

  constructor(seed: Uint8Array) {
    this.#seed = seed;
    const macKey = hkdfSync('sha256', seed, '', 'rialto audit entry', MAC_KEY_BYTES);
    this.#macKey = new Uint8Array(macKey);
  }

  /** Authenticates an entry's hash. */
  mac(hash: Uint8Array): Buffer {
    return createHmac('sha256', this.#macKey).update(hash).digest();
  }

  /** Returns a signed note: the text, a blank line, and a line with the signature. */
  sign(text: string): string {
    const { keyHash, privateKey } = this.#keys();
    const signature = sign(null, Buffer.from(text), privateKey);
    const encoded = Buffer.concat([keyHash, signature]).toString('base64');
    return `${text}\n— ${SIGNER_NAME} ${encoded}\n`;
  }

  /** Returns the text of a note, or undefined if this key has not signed it. */
  open(note: string): string | undefined {
    const end = note.lastIndexOf('\n\n— ');
    if (end < 0) return undefined;
    const text = note.slice(0, end + 1);
    const [, name, encoded] = /^— (\S+) (\S+)\n$/.exec(note.slice(end + 2)) ?? [];
    if (name !== SIGNER_NAME) return undefined;
    const bytes = Buffer.from(encoded, 'base64');
    const { keyHash, publicKey } = this.#keys();
    if (!bytes.subarray(0, KEY_HASH_BYTES).equals(keyHash)) return undefined;
    const isSigned = verify(null, Buffer.from(text), publicKey, bytes.subarray(KEY_HASH_BYTES));
    return isSigned ? text : undefined;
  }

  /** For external verifiers: the name, the key hash and the key, in the signed note format. */
  verifierKey(): string {
    const { keyHash, publicBytes } = this.#keys();
    const key = Buffer.concat([Uint8Array.of(SIGNATURE_KIND), publicBytes]).toString('base64');
    return `${SIGNER_NAME}+${keyHash.toString('hex')}+${key}`;
  }

  #keys(): KeyPair {
    this.#pair ??= keyPairOf(this.#seed);
    return this.#pair;
  }
}

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly publicBytes: Buffer;
  /** Identifies the key in a note. */
  readonly keyHash: Buffer;
}

function keyPairOf(seed: Uint8Array): KeyPair {
  const der = Buffer.concat([PRIVATE_PREFIX, seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const publicBytes = spki.subarray(PUBLIC_PREFIX_BYTES);
  const keyHash = createHash('sha256')
    .update(`${SIGNER_NAME}\n`)
    .update(Uint8Array.of(SIGNATURE_KIND))
    .update(publicBytes)
    .digest()
    .subarray(0, KEY_HASH_BYTES);
  return { privateKey, publicKey, publicBytes, keyHash };
}

/**
 * Returns undefined if there is none yet. Throws SealFault if the row was not sealed by this vault.
 */
export async function findAuditSigner(
  statements: Statements,
  vault: Vault,
): Promise<AuditSigner | undefined> {
  const { rows } = await statements.query('select kek_id, sealed from audit_keys where id = $1', [
    KEY_ID,
  ]);
  if (rows.length === 0) return undefined;
  const [{ kek_id, sealed }] = rows;
  return new AuditSigner(
    vault.open(auditKeyBound(KEY_ID), { kekId: idOf<number>(kek_id), sealed }),
  );
}

/** Call it while the head is locked. */
export async function createAuditSigner(
  statements: Statements,
  vault: Vault,
): Promise<AuditSigner> {
  const seed = randomBytes(SEED_BYTES);
  const { kekId, sealed } = vault.seal(auditKeyBound(KEY_ID), seed);
  await statements.query('insert into audit_keys (id, kek_id, sealed) values ($1, $2, $3)', [
    KEY_ID,
    kekId,
    sealed,
  ]);
  return new AuditSigner(seed);
}

/** Returns the text that the key is bound to. */
export function auditKeyBound(id: number): string {
  return `audit key ${id}`;
}
