// The format of archived files, both segments and snapshots: a label of two lines, then the body.
// The first line names the format and hashes the second; the second is JSON that describes the
// content; `head -n 2` shows both. The body of a segment is compressed, and its label has its
// length and hash. The body of a snapshot is chunks with their own checksums.

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { ArchiveFault } from './archive-fault.ts';
import { SNAPSHOT_FORMAT } from './snapshot-chunk.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Both lines together are shorter than this. */
export const LABEL_BYTES_MAX = 8_192;

const FIRST_LINE = /^rialto ([a-z]+) ([0-9]{1,6}) ([0-9]{1,4}) ([0-9a-f]{64})$/;
const NEWLINE = 10;

export type PackKind = 'segment' | 'snapshot';

/** The formats that this release writes and reads. */
export const FORMATS: Readonly<Record<PackKind, number>> = {
  segment: 1,
  snapshot: SNAPSHOT_FORMAT,
};

export interface Label {
  readonly file: string;
  /** The writer's description of the content. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly contentBytes: number;
  readonly bodyBytes: number;
  readonly bodySha256: string;
  readonly bodyAt: number;
}

export async function pack(
  kind: PackKind,
  about: object,
  content: Uint8Array,
): Promise<{ bytes: Uint8Array; bodyBytes: number; bodySha256: string }> {
  const body = await compress(content);
  const bodySha256 = hash('sha256', body, 'hex');
  const sizes = { contentBytes: content.length, bodyBytes: body.length, bodySha256 };
  const bytes = Buffer.concat([labelBytes(kind, { ...about, ...sizes }), body]);
  return { bytes, bodyBytes: body.length, bodySha256 };
}

/** The second line has at least `lineBytes`, so a label can be written after its body. */
export function labelBytes(kind: PackKind, about: object, lineBytes = 0): Uint8Array {
  const json = Buffer.from(JSON.stringify(about).padEnd(lineBytes));
  const first = `rialto ${kind} ${FORMATS[kind]} ${json.length} ${hash('sha256', json, 'hex')}\n`;
  return Buffer.concat([Buffer.from(first), json, Buffer.from('\n')]);
}

/** Reads the two lines from the first bytes of a file. */
export function readLabel(kind: PackKind, file: string, start: Uint8Array): Label {
  const lineEnd = start.indexOf(NEWLINE);
  const line = Buffer.from(start.subarray(0, Math.max(lineEnd, 0))).toString('latin1');
  const [, kindFound, format, jsonBytes, jsonSha256] = FIRST_LINE.exec(line) ?? [];
  if (kindFound !== kind) {
    throw new ArchiveFault('damaged', `the file is not a ${kind}`, { file });
  }
  const expected = FORMATS[kind];
  if (Number(format) > expected) {
    const detail = `format ${format} is newer than ${expected}`;
    throw new ArchiveFault('newer_format', detail, { file });
  }
  if (Number(format) < expected) {
    const detail = `format ${format} is older than ${expected}`;
    throw new ArchiveFault('older_format', detail, { file });
  }
  const jsonAt = lineEnd + 1;
  const json = start.subarray(jsonAt, jsonAt + Number(jsonBytes));
  if (hash('sha256', json, 'hex') !== jsonSha256 || start[jsonAt + json.length] !== NEWLINE) {
    throw new ArchiveFault('damaged', 'the second line does not match its hash', { file });
  }
  const { contentBytes, bodyBytes, bodySha256, ...about } = JSON.parse(
    Buffer.from(json).toString(),
  );
  return { file, about, contentBytes, bodyBytes, bodySha256, bodyAt: jsonAt + json.length + 1 };
}

/** Compares the file's size with its label: cheap, and detects a truncated file. */
export function checkLength({ file, bodyAt, bodyBytes }: Label, fileBytes: number): void {
  const expected = bodyAt + bodyBytes;
  if (fileBytes !== expected) {
    const detail = `expected ${expected} bytes, found ${fileBytes}`;
    throw new ArchiveFault('damaged', detail, { file });
  }
}

/** Checks the body against its hash and returns the content. */
export async function unpack(from: Label, bytes: Uint8Array): Promise<Uint8Array> {
  const { file, bodyAt, bodySha256, contentBytes } = from;
  checkLength(from, bytes.length);
  const body = bytes.subarray(bodyAt);
  const found = hash('sha256', body, 'hex');
  if (found !== bodySha256) {
    const detail = `expected body hash ${bodySha256}, found ${found}`;
    throw new ArchiveFault('damaged', detail, { file });
  }
  try {
    const content = await decompress(body, { maxOutputLength: Math.max(1, contentBytes) });
    if (content.length === contentBytes) return content;
  } catch (cause) {
    throw new ArchiveFault('damaged', 'the body cannot be decompressed', { file, cause });
  }
  throw new ArchiveFault('damaged', `the content does not have ${contentBytes} bytes`, { file });
}
