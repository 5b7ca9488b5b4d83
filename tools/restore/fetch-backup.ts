// Copies a backup to this machine: segments and snapshot into the archive folder, tables and
// configuration into separate folders. Verifies every checksum before it changes a server.

import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Archive, openArchive } from '../../infra/journal/index.ts';
import { BackupFault } from '../backup/backup-fault.ts';
import type { BackupKey } from '../backup/backup-key.ts';
import type { BackupStore } from '../backup/backup-store.ts';
import { writeDurably } from '../backup/folder-store.ts';
import { type BackupFile, type Manifest, Measured, readBackupFile } from '../backup/manifest.ts';
import { ToolFault } from '../command-line.ts';

export interface FetchOptions {
  readonly store: BackupStore;
  readonly key: BackupKey;
  readonly manifest: Manifest;
  /** Empty, or a copy of the archive, whose newer segments are kept. */
  readonly archiveFolder: string;
  readonly tablesFolder: string;
  /** Without it, configuration is verified but not written. */
  readonly configurationFolder?: string | undefined;
  onFile(done: number, of: number): void;
}

/** Returns the archive, which ends at the backup's last frame or later. */
export async function fetchBackup(options: FetchOptions): Promise<Archive> {
  const { archiveFolder, manifest, onFile } = options;
  const faults: BackupFault[] = [];
  for (const [at, file] of manifest.files.entries()) {
    try {
      await fetchFile(options, file);
    } catch (fault) {
      if (!(fault instanceof BackupFault)) throw fault;
      faults.push(fault);
    }
    onFile(at + 1, manifest.files.length);
  }
  if (faults.length > 0) {
    const lines = faults.map(({ message }) => message).join('\n');
    throw new ToolFault(`The backup is damaged, and nothing was restored.\n${lines}`);
  }
  const archive = await openArchive(archiveFolder, 'read');
  const { frameHash, sequence } = manifest.log;
  const last = archive.findSequence(sequence);
  if (last?.lastSequence !== sequence || last.lastFrameHash !== frameHash) {
    throw new ToolFault(`Frame ${sequence} in ${archiveFolder} differs from the backup.`);
  }
  return archive;
}

async function fetchFile(options: FetchOptions, file: BackupFile): Promise<void> {
  const { key, store } = options;
  const path = pathOf(options, file);
  if (path === undefined) {
    for await (const _ of readBackupFile(store, key, file));
    return;
  }
  if (file.kind === 'segment' && existsSync(path)) {
    const measured = new Measured();
    for await (const _ of measured.of(createReadStream(path)));
    if (measured.sha256() === file.sha256) return;
    throw new BackupFault(path, 'another segment than that of the backup');
  }
  await writeDurably(path, readBackupFile(store, key, file));
}

function pathOf(options: FetchOptions, { kind, of }: BackupFile): string | undefined {
  const { archiveFolder, configurationFolder, tablesFolder } = options;
  switch (kind) {
    case 'segment':
      return join(archiveFolder, of);
    case 'snapshot':
      return join(archiveFolder, 'snapshots', of);
    case 'table':
      return join(tablesFolder, of);
    case 'configuration':
      return configurationFolder === undefined ? undefined : join(configurationFolder, of);
  }
}
