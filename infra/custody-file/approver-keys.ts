// Approvers' Ed25519 keys in their text form, and their signatures. Verifies and signs texts; knows
// nothing about their contents.

import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';

/** DER prefix of an Ed25519 public key (RFC 8410). */
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const TEXT = /^ed25519:([A-Za-z0-9_-]{43})$/;

/** Throws if the value is not `ed25519:` and 32 bytes in Base64url. */
export function parsePublicKey(path: string, value: unknown): Uint8Array {
  const base64 = typeof value === 'string' ? TEXT.exec(value)?.[1] : undefined;
  const bytes = Buffer.from(base64 ?? '', 'base64url');
  if (bytes.length === 32 && bytes.toString('base64url') === base64) return bytes;
  throw new Error(`${path}: expected ed25519: and 32 bytes in Base64url`);
}

export interface ApproverKey {
  /** `ed25519:…`, for the custody file. */
  readonly publicKey: string;
  /** PKCS #8 in PEM. */
  readonly privateKey: string;
}

export function createApproverKey(): ApproverKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  return { privateKey: pem, publicKey: publicKeyOf(pem) };
}

export function publicKeyOf(privateKey: string): string {
  const der = createPublicKey(createPrivateKey(privateKey)).export({ format: 'der', type: 'spki' });
  return `ed25519:${der.subarray(PUBLIC_PREFIX.length).toString('base64url')}`;
}

/** Returns the signature in Base64url. */
export function signText(text: string, privateKey: string): string {
  return sign(null, Buffer.from(text), createPrivateKey(privateKey)).toString('base64url');
}

/** Whether the signature in Base64url is one of this key over this text. */
export function isSignedBy(key: Uint8Array, text: string, signature: string): boolean {
  const publicKey = createPublicKey({
    key: Buffer.concat([PUBLIC_PREFIX, key]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'));
}

export interface SignedBy {
  readonly text: string;
  readonly keys: ReadonlyMap<string, Uint8Array>;
  /** In Base64url, by the approver's name. */
  readonly signatures: ReadonlyMap<string, string>;
}

/** Counts the approvers who signed. Throws if a signature is wrong or is not by an approver. */
export function countApprovals({ keys, signatures, text }: SignedBy): number {
  for (const [name, signature] of signatures) {
    const key = keys.get(name);
    if (key === undefined) throw new Error(`signatures.${name}: not an approver of this file`);
    if (!isSignedBy(key, text, signature)) {
      throw new Error(`signatures.${name}: the signature does not match this document`);
    }
  }
  return signatures.size;
}
