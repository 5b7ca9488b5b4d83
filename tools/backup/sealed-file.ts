// Backup file: AES-256-GCM in chunks, with a separate key per file. A chunk's nonce is its index
// and whether it is the last, so a changed, moved, missing or added chunk does not open.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { BackupFault } from './backup-fault.ts';
import type { BackupKey } from './backup-key.ts';

const MAGIC = Buffer.from('rialto backup 1\n');
const ID_BYTES = 16;
const SALT_BYTES = 32;
const HEADER_BYTES = MAGIC.length + ID_BYTES + SALT_BYTES;
const CHUNK_BYTES = 1024 * 1024;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const CIPHER = 'aes-256-gcm';

export type Bytes = AsyncIterable<Uint8Array>;

/** Returns the length of a sealed file. */
export function sealedBytes(plainBytes: number): number {
  const chunks = Math.max(1, Math.ceil(plainBytes / CHUNK_BYTES));
  return HEADER_BYTES + plainBytes + chunks * TAG_BYTES;
}

export async function* seal(plain: Bytes, key: BackupKey, name: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const fileKey = key.ofFile(salt, name);
  yield Buffer.concat([MAGIC, key.id, salt]);
  let index = 0;
  for await (const { bytes, isLast } of inPieces(plain, CHUNK_BYTES)) {
    const cipher = createCipheriv(CIPHER, fileKey, nonceOf(index++, isLast));
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Yields only verified bytes. A BackupFault names the file and the damage. */
export async function* unseal(sealed: Bytes, key: BackupKey, name: string): AsyncGenerator<Buffer> {
  const source = withHeader(sealed);
  const { value: header } = await source.next();
  if (header === undefined || !header.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new BackupFault(name, 'not a file of a backup, or cut within its first bytes');
  }
  if (!header.subarray(MAGIC.length, MAGIC.length + ID_BYTES).equals(key.id)) {
    throw new BackupFault(name, 'sealed with another key');
  }
  const fileKey = key.ofFile(header.subarray(MAGIC.length + ID_BYTES), name);
  let index = 0;
  for await (const { bytes, isLast } of inPieces(source, CHUNK_BYTES + TAG_BYTES)) {
    const at = index++;
    const chunk = openChunk(bytes, fileKey, nonceOf(at, isLast));
    if (chunk === undefined) {
      const isCut = isLast && openChunk(bytes, fileKey, nonceOf(at, false)) !== undefined;
      const damage = isCut ? `cut after chunk ${at + 1}` : `chunk ${at + 1} is damaged or cut`;
      throw new BackupFault(name, damage);
    }
    yield chunk;
  }
}

function openChunk(bytes: Buffer, key: Uint8Array, nonce: Uint8Array): Buffer | undefined {
  const end = bytes.length - TAG_BYTES;
  if (end < 0) return undefined;
  const decipher = createDecipheriv(CIPHER, key, nonce);
  decipher.setAuthTag(bytes.subarray(end));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function nonceOf(index: number, isLast: boolean): Uint8Array {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(index, NONCE_BYTES - 5);
  nonce.writeUInt8(isLast ? 1 : 0, NONCE_BYTES - 1);
  return nonce;
}

/** Yields the header as one piece, then the rest as it arrives. Nothing if the header is cut. */
async function* withHeader(source: Bytes): AsyncGenerator<Buffer, undefined> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const bytes of source) {
    if (start === undefined) {
      yield asBuffer(bytes);
      continue;
    }
    start = Buffer.concat([start, bytes]);
    if (start.length < HEADER_BYTES) continue;
    yield start.subarray(0, HEADER_BYTES);
    if (start.length > HEADER_BYTES) yield start.subarray(HEADER_BYTES);
    start = undefined;
  }
}

export interface Piece {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** Yields pieces of this length. The last can be shorter; it is empty only for empty input. */
export async function* inPieces(source: Bytes, pieceBytes: number): AsyncGenerator<Piece> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const bytes of source) {
    waiting.push(asBuffer(bytes));
    length += bytes.length;
    if (length <= pieceBytes) continue;
    let all: Buffer = Buffer.concat(waiting);
    for (; all.length > pieceBytes; all = all.subarray(pieceBytes)) {
      yield { bytes: all.subarray(0, pieceBytes), isLast: false };
    }
    waiting = [all];
    length = all.length;
  }
  yield { bytes: Buffer.concat(waiting), isLast: true };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
