// One chunk of a stored snapshot: a header and a body, compressed with zstd. Its checksum covers
// both, so a chunk that was changed, cut or exchanged with another one is found and named.

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

/** Counts changes of what a store writes. A snapshot of another format is not read. */
export const SNAPSHOT_FORMAT = 2;
/** The checksum, the snapshot's sequence, the chunk's index, the lengths of content and body. */
export const CHUNK_HEADER_BYTES = 52;
const SEQUENCE = 32;
const INDEX = 40;
const CONTENT_BYTES = 44;
const BODY_BYTES = 48;
/** More than any writer's chunk, so a damaged length cannot exhaust the memory. */
const CONTENT_BYTES_MAX = 64 * 1024 * 1024;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
// Each step of the compressor is a task of another thread: few large steps take a third of the
// time. Levels above 1 take five times as long and save little.
const STEP = { chunkSize: 4 * 1024 * 1024 };
const COMPRESSION = { ...STEP, params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export interface ChunkPlace {
  /** Sequence of the snapshot. */
  readonly sequence: number;
  /** The first chunk has index 0. */
  readonly index: number;
}

/** The stored chunk is not what was written. */
export class ChunkFault extends Error {
  override readonly name = 'ChunkFault';

  constructor({ index, sequence }: ChunkPlace, detail: string, cause?: unknown) {
    super(`snapshot ${sequence}, chunk ${index}: ${detail}`, { cause });
  }
}

/** The chunk after the last has no content. */
export async function sealChunk(place: ChunkPlace, content: Uint8Array): Promise<Uint8Array> {
  const body = content.length === 0 ? content : await compress(content, COMPRESSION);
  const sealed = Buffer.allocUnsafe(CHUNK_HEADER_BYTES + body.length);
  sealed.writeDoubleLE(place.sequence, SEQUENCE);
  sealed.writeUInt32LE(place.index, INDEX);
  sealed.writeUInt32LE(content.length, CONTENT_BYTES);
  sealed.writeUInt32LE(body.length, BODY_BYTES);
  sealed.set(body, CHUNK_HEADER_BYTES);
  sealed.set(checksum(sealed));
  return sealed;
}

/** The length of a sealed chunk that begins with this header. */
export function sealedBytes(header: Uint8Array): number {
  const view = new DataView(header.buffer, header.byteOffset);
  return CHUNK_HEADER_BYTES + view.getUint32(BODY_BYTES, true);
}

/** Throws ChunkFault if it is not the chunk of this place as it was written. */
export async function openChunk(place: ChunkPlace, bytes: Uint8Array): Promise<Uint8Array> {
  const sealed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (sealed.length < CHUNK_HEADER_BYTES) throw new ChunkFault(place, 'the header is incomplete');
  if (!checksum(sealed).equals(sealed.subarray(0, SEQUENCE))) {
    throw new ChunkFault(place, 'the checksum does not match');
  }
  const isHere =
    sealed.readDoubleLE(SEQUENCE) === place.sequence && sealed.readUInt32LE(INDEX) === place.index;
  if (!isHere) throw new ChunkFault(place, 'another chunk is stored in its place');
  const contentBytes = sealed.readUInt32LE(CONTENT_BYTES);
  if (contentBytes === 0) return new Uint8Array(0);
  if (contentBytes > CONTENT_BYTES_MAX) throw new ChunkFault(place, 'the chunk is too large');
  try {
    const body = sealed.subarray(CHUNK_HEADER_BYTES);
    const content = await decompress(body, { ...STEP, maxOutputLength: contentBytes });
    if (content.length === contentBytes) return content;
  } catch (cause) {
    throw new ChunkFault(place, 'the chunk cannot be decompressed', cause);
  }
  throw new ChunkFault(place, `the chunk does not have ${contentBytes} bytes`);
}

function checksum(sealed: Buffer): Buffer {
  return hash('sha256', sealed.subarray(SEQUENCE), 'buffer');
}
