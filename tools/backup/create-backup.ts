// Creates a backup that is consistent with one log position. The order matters: first the registry,
// then the end of the log, then the archive. So the log is never behind the registry.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createZstdCompress } from 'node:zlib';
import { RULES_VERSION_MAX, SCHEMA_VERSION } from '../../core/messages/index.ts';
import {
  type Archive,
  type Extent,
  FolderSnapshots,
  type LogStream,
  openArchive,
  type SnapshotInfo,
  verifySegment,
} from '../../infra/journal/index.ts';
import {
  type Connection,
  dumpableTables,
  dumpTable,
  readSequences,
} from '../../infra/postgres/index.ts';
import { readBuildInfo } from '../../infra/process/index.ts';
import { ToolFault } from '../command-line.ts';
import type { BackupKey } from './backup-key.ts';
import type { BackupStore } from './backup-store.ts';
import { readConfiguration } from './configuration.ts';
import {
  type BackupFile,
  folderOf,
  listBackups,
  MANIFEST_FORMAT,
  type Manifest,
  Measured,
  readManifest,
  through,
  writeManifest,
} from './manifest.ts';
import { type Bytes, seal, sealedBytes } from './sealed-file.ts';

export interface BackupOptions {
  readonly store: BackupStore;
  readonly key: BackupKey;
  readonly exchange: string;
  /** Connection of the table owner. After a failure it can only be closed. */
  readonly connection: Connection;
  readonly registrySchema: string;
  readonly commands: Pick<LogStream, 'extent'>;
  readonly archiveFolder: string;
  /** Time limit for the archivist to archive the end of the log. */
  readonly archiveWaitMs: number;
  /** Folder with configuration files, if any. */
  readonly configurationFolder?: string | undefined;
  /** Files that are never copied: the access key and the backup key. */
  readonly secretFiles: readonly string[];
  /** One line for each step. */
  print(line: string): void;
  /** Called when the registry snapshot and the log position are known. For drills. */
  onPosition?(sequence: number): Promise<void>;
}

export interface CreatedBackup {
  readonly manifest: Manifest;
  /** Number of files that this backup added to the store, and their bytes. */
  readonly copiedFiles: number;
  readonly copiedBytes: number;
}

const ARCHIVE_POLL_MS = 200;

export async function createBackup(options: BackupOptions): Promise<CreatedBackup> {
  return new BackupRun(options).run();
}

class BackupRun {
  readonly #options: BackupOptions;
  readonly #startedAt = new Date();
  readonly #files: BackupFile[] = [];
  #copiedFiles = 0;
  #copiedBytes = 0;

  constructor(options: BackupOptions) {
    this.#options = options;
  }

  get #id(): string {
    return this.#startedAt.toISOString().replace(/[-:.]/g, '');
  }

  async run(): Promise<CreatedBackup> {
    const { exchange, key, print, store } = this.#options;
    const { registry, registrySequence } = await this.#copyRegistry();
    const archive = await this.#archiveWith(registrySequence);
    await this.#copySegments(archive);
    const snapshot = await this.#copySnapshot(archive);
    await this.#copyConfiguration();
    const { commands, frameHash, sequence } = archive.end;
    const manifest: Manifest = {
      format: MANIFEST_FORMAT,
      id: this.#id,
      startedAt: this.#startedAt.toISOString(),
      endedAt: new Date().toISOString(),
      exchange,
      release: readBuildInfo(),
      schemaVersion: SCHEMA_VERSION,
      rulesVersionMax: RULES_VERSION_MAX,
      log: { sequence, commands, frameHash, registrySequence },
      registry,
      ...(snapshot === undefined ? {} : { snapshot }),
      files: this.#files,
    };
    await writeManifest(store, key, manifest);
    print(`backup ${this.#id} is complete up to frame ${sequence}`);
    return { manifest, copiedFiles: this.#copiedFiles, copiedBytes: this.#copiedBytes };
  }

  /**
   * The first statement sets the transaction's snapshot; the end of the log is read after it. If a
   * statement fails, the connection might be in the middle of a COPY, so the caller closes it.
   */
  async #copyRegistry() {
    const { connection, onPosition, print, registrySchema } = this.#options;
    await connection.query('begin transaction isolation level repeatable read read only');
    const { rows } = await connection.query(
      `select number::integer as number, checksum from ${registrySchema}.migrations order by 1`,
    );
    const registrySequence = await this.#endOfLog();
    await onPosition?.(registrySequence);
    print(`registry is read as of frame ${registrySequence}`);
    const tables = [];
    for (const table of await dumpableTables(connection, registrySchema)) {
      tables.push({ ...table, rows: await this.#copyTable(table) });
    }
    const sequences = await readSequences(connection, registrySchema);
    const migrations = rows as Manifest['registry']['migrations'];
    await connection.query('commit');
    return { registry: { migrations, tables, sequences }, registrySequence };
  }

  async #copyTable(table: Parameters<typeof dumpTable>[2]): Promise<number> {
    const { connection, registrySchema } = this.#options;
    let rows = 0;
    async function* counted(source: Bytes) {
      for await (const bytes of source) {
        // A line break inside a value is escaped.
        for (const byte of bytes) if (byte === LINE_FEED) rows++;
        yield bytes;
      }
    }
    const source = counted(dumpTable(connection, registrySchema, table));
    const name = `${folderOf(this.#id)}/registry/${table.name}`;
    await this.#copy(
      { name, kind: 'table', of: table.name },
      through(source, createZstdCompress()),
    );
    return rows;
  }

  async #endOfLog(): Promise<number> {
    const { commands } = this.#options;
    const extent = await new Promise<Extent | undefined>((done) => commands.extent(done));
    if (extent === undefined) throw new ToolFault('COMMANDS is not responding.');
    return extent.last;
  }

  async #archiveWith(sequence: number): Promise<Archive> {
    const { archiveFolder, archiveWaitMs } = this.#options;
    const deadlineMs = performance.now() + archiveWaitMs;
    for (;;) {
      const archive = await openArchive(archiveFolder, 'read');
      if (archive.end.sequence >= sequence) return archive;
      if (performance.now() > deadlineMs) {
        throw new ToolFault(
          `The archive ends at frame ${archive.end.sequence} (expected ${sequence}). ` +
            'Is the archivist running?',
        );
      }
      await delay(ARCHIVE_POLL_MS);
    }
  }

  /** Segments never change, so those of the newest backup are reused. */
  async #copySegments(archive: Archive): Promise<void> {
    const { archiveFolder, print, store } = this.#options;
    const stored = new Map((await store.list('segments/')).map(({ bytes, name }) => [name, bytes]));
    const known = await this.#knownSegments();
    for (const [index, { file }] of archive.segments().entries()) {
      const path = join(archiveFolder, file);
      const before = known.get(file);
      if (
        before !== undefined &&
        before.bytes === (await stat(path)).size &&
        stored.get(before.name) === sealedBytes(before.bytes)
      ) {
        this.#files.push(before);
        continue;
      }
      for await (const _ of verifySegment(archive, index));
      const measured = new Measured();
      for await (const _ of measured.of(createReadStream(path)));
      const { bytes } = measured;
      const sha256 = measured.sha256();
      // The name contains the hash, so a segment of another log has a different name.
      const name = `segments/${file}-${sha256.slice(0, 16)}`;
      const described = { name, kind: 'segment', of: file } as const;
      if (stored.get(name) === sealedBytes(bytes))
        this.#files.push({ ...described, bytes, sha256 });
      else await this.#copy(described, createReadStream(path));
    }
    print(`${archive.segments().length} segments, up to frame ${archive.end.sequence}`);
  }

  async #knownSegments(): Promise<ReadonlyMap<string, BackupFile>> {
    const { key, store } = this.#options;
    const [newest] = await listBackups(store);
    if (newest === undefined) return new Map();
    const { files } = await readManifest(store, key, newest);
    return new Map(files.filter(({ kind }) => kind === 'segment').map((file) => [file.of, file]));
  }

  async #copySnapshot(archive: Archive): Promise<Manifest['snapshot']> {
    const folder = join(this.#options.archiveFolder, 'snapshots');
    const snapshots = await new FolderSnapshots(folder, (problem) => {
      throw problem;
    }).list();
    const newest = snapshots.findLast(({ sequence }) => sequence <= archive.end.sequence);
    if (newest === undefined) return undefined;
    const { sequence, stateHash } = newest satisfies SnapshotInfo;
    const file = `snapshot-${String(sequence).padStart(16, '0')}.snapshot`;
    const name = `${folderOf(this.#id)}/${file}`;
    await this.#copy({ name, kind: 'snapshot', of: file }, createReadStream(join(folder, file)));
    return { sequence, stateHash };
  }

  async #copyConfiguration(): Promise<void> {
    const { configurationFolder, secretFiles } = this.#options;
    if (configurationFolder === undefined) return;
    for (const { content, name: of } of readConfiguration(configurationFolder, secretFiles)) {
      const name = `${folderOf(this.#id)}/configuration/${of}`;
      await this.#copy({ name, kind: 'configuration', of }, piecesOf(content));
    }
  }

  async #copy(file: Pick<BackupFile, 'name' | 'kind' | 'of'>, content: Bytes): Promise<void> {
    const { key, store } = this.#options;
    const measured = new Measured();
    await store.write(file.name, seal(measured.of(content), key, file.name));
    const { bytes } = measured;
    this.#files.push({ ...file, bytes, sha256: measured.sha256() });
    this.#copiedFiles++;
    this.#copiedBytes += sealedBytes(bytes);
  }
}

const LINE_FEED = 10;

async function* piecesOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}
