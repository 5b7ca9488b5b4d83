// A small file backup for damage tests, and an S3-compatible server.

import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { BackupKey } from './backup-key.ts';
import type { BackupStore } from './backup-store.ts';
import { type BackupFile, type Manifest, Measured, writeManifest } from './manifest.ts';
import { S3Store } from './s3-store.ts';
import { seal } from './sealed-file.ts';

export const KEY = new BackupKey(Buffer.alloc(32, 1));
export const OTHER_KEY = new BackupKey(Buffer.alloc(32, 2));
export const ID = '20261117T031000000Z';

export function folderForTest(t: Pick<TestContext, 'after'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-backup-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

export async function* bytesOf(...pieces: readonly (string | Uint8Array)[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}

export async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Stores a backup with these tables and returns its manifest. */
export async function storeBackup(
  store: BackupStore,
  tables: Readonly<Record<string, Uint8Array>>,
  id = ID,
): Promise<Manifest> {
  const files: BackupFile[] = [];
  for (const [of, content] of Object.entries(tables)) {
    const name = `backups/${id}/registry/${of}`;
    const measured = new Measured();
    await store.write(name, seal(measured.of(bytesOf(content)), KEY, name));
    files.push({ name, kind: 'table', of, bytes: measured.bytes, sha256: measured.sha256() });
  }
  const manifest: Manifest = {
    format: 1,
    id,
    startedAt: '2026-11-17T03:10:00.000Z',
    endedAt: '2026-11-17T03:11:00.000Z',
    exchange: 'rialto',
    release: { version: '0.1.0', commit: 'test' },
    schemaVersion: 1,
    rulesVersionMax: 1,
    log: { sequence: 7, commands: 9, frameHash: 'ab', registrySequence: 6 },
    registry: { migrations: [], tables: [], sequences: [] },
    files,
  };
  await writeManifest(store, KEY, manifest);
  return manifest;
}

const BUCKET = 'backups';
/** Minimum part size that S3 accepts. */
export const PART_BYTES = 5 * 1024 * 1024;

/** The server package has no types. */
const S3rver = createRequire(import.meta.url)('s3rver') as new (
  options: object,
) => { run(): Promise<AddressInfo>; close(): Promise<void> };

/** Creates a bucket on a real server, which stops with the test. */
export async function s3StoreForTest(
  t: Pick<TestContext, 'after'>,
  accessKeyId = 'S3RVER',
): Promise<S3Store> {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folderForTest(t),
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  t.after(() => server.close());
  return new S3Store({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    accessKeyId,
    secretAccessKey: 'S3RVER',
    bucket: BUCKET,
    prefix: 'exchange/one',
    partBytes: PART_BYTES,
  });
}
