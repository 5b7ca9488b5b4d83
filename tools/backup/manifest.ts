// Backup manifest, written last: a backup without it does not exist. It is sealed like every file,
// so only an owner of the key can have written it.

import { createHash } from 'node:crypto';
import { pipeline, Readable, type Transform } from 'node:stream';
import type { DumpedSequence, DumpedTable } from '../../infra/postgres/index.ts';
import { ToolFault } from '../command-line.ts';
import { BackupFault } from './backup-fault.ts';
import type { BackupKey } from './backup-key.ts';
import type { BackupStore } from './backup-store.ts';
import { type Bytes, seal, sealedBytes, unseal } from './sealed-file.ts';

export const MANIFEST_FORMAT = 1;

export interface BackupFile {
  /** Name in the store. */
  readonly name: string;
  readonly kind: 'segment' | 'snapshot' | 'table' | 'configuration';
  /** Segment, snapshot, table or configuration file in it. */
  readonly of: string;
  /** Size before sealing. */
  readonly bytes: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly format: typeof MANIFEST_FORMAT;
  /** Time of the registry snapshot, for example `20261117T031000000Z`. */
  readonly id: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly exchange: string;
  readonly release: { readonly version: string; readonly commit: string };
  readonly schemaVersion: number;
  readonly rulesVersionMax: number;
  readonly log: {
    /** Last frame in the backup. */
    readonly sequence: number;
    readonly commands: number;
    readonly frameHash: string;
    /** End of the log when the registry was read. The log can be ahead, never behind. */
    readonly registrySequence: number;
  };
  readonly registry: {
    readonly migrations: readonly { readonly number: number; readonly checksum: string }[];
    readonly tables: readonly (DumpedTable & { readonly rows: number })[];
    readonly sequences: readonly DumpedSequence[];
  };
  /** Newest verified snapshot; absent before the first. */
  readonly snapshot?: { readonly sequence: number; readonly stateHash: string };
  readonly files: readonly BackupFile[];
}

export function folderOf(id: string): string {
  return `backups/${id}`;
}

function manifestName(id: string): string {
  return `${folderOf(id)}/manifest`;
}

/** Newest first. */
export async function listBackups(store: BackupStore): Promise<readonly string[]> {
  const files = await store.list('backups/');
  return files
    .flatMap(({ name }) => /^backups\/(\d{8}T\d{9}Z)\/manifest$/.exec(name)?.[1] ?? [])
    .sort()
    .reverse();
}

export async function writeManifest(store: BackupStore, key: BackupKey, manifest: Manifest) {
  const name = manifestName(manifest.id);
  const text = Buffer.from(JSON.stringify(manifest, null, 1));
  await store.write(name, seal(Readable.from([text]), key, name));
}

export async function readManifest(
  store: BackupStore,
  key: BackupKey,
  id: string,
): Promise<Manifest> {
  const name = manifestName(id);
  const pieces: Buffer[] = [];
  for await (const piece of unseal(store.read(name), key, name)) pieces.push(piece);
  const manifest = JSON.parse(Buffer.concat(pieces).toString()) as Manifest;
  if (manifest.format === MANIFEST_FORMAT) return manifest;
  throw new ToolFault(
    `${name} has format ${manifest.format} (expected ${MANIFEST_FORMAT}). Use its release.`,
  );
}

/** Returns the backup with this ID, or the newest. */
export async function chosenBackup(
  store: BackupStore,
  key: BackupKey,
  id: string | undefined,
): Promise<Manifest> {
  const found = id ?? (await listBackups(store))[0];
  if (found === undefined) throw new ToolFault(`${store.place} has no backup.`);
  return readManifest(store, key, found);
}

/** Yields the content of a file, and checks it against the manifest at the end. */
export async function* readBackupFile(
  store: BackupStore,
  key: BackupKey,
  { bytes, name, sha256 }: BackupFile,
): Bytes {
  const hash = createHash('sha256');
  let length = 0;
  for await (const piece of unseal(store.read(name), key, name)) {
    hash.update(piece);
    length += piece.length;
    yield piece;
  }
  if (length !== bytes) {
    throw new BackupFault(name, `${length} bytes (expected ${bytes})`);
  }
  if (hash.digest('hex') !== sha256) {
    throw new BackupFault(name, 'another SHA-256 than in the manifest');
  }
}

/** Reads all files and returns every fault. */
export async function verifyFiles(
  store: BackupStore,
  key: BackupKey,
  manifest: Manifest,
  onFile: (done: number, of: number) => void,
): Promise<readonly BackupFault[]> {
  const faults: BackupFault[] = [];
  for (const [at, file] of manifest.files.entries()) {
    try {
      for await (const _ of readBackupFile(store, key, file));
    } catch (fault) {
      if (!(fault instanceof BackupFault)) throw fault;
      faults.push(fault);
    }
    onFile(at + 1, manifest.files.length);
  }
  return faults;
}

export function storedBytes(manifest: Manifest): number {
  return manifest.files.reduce((sum, { bytes }) => sum + sealedBytes(bytes), 0);
}

/** Counts and hashes the bytes that pass through. */
export class Measured {
  bytes = 0;
  readonly #hash = createHash('sha256');

  async *of(source: Bytes): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      this.bytes += piece.length;
      this.#hash.update(piece);
      yield piece;
    }
  }

  sha256(): string {
    return this.#hash.digest('hex');
  }
}

/** Yields the bytes after a transformation, such as compression. A source fault ends it too. */
export function through(source: Bytes, transform: Transform): Bytes {
  pipeline(Readable.from(source, { objectMode: false }), transform, () => {});
  return transform;
}
