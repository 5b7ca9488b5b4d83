// Removes old backups. Segments stay for ever: every later backup needs all of them.

import type { BackupKey } from './backup-key.ts';
import type { BackupStore } from './backup-store.ts';
import { folderOf, listBackups, readManifest } from './manifest.ts';

/** Returns the ids of the removed backups. */
export async function pruneBackups(
  store: BackupStore,
  key: BackupKey,
  keep: number,
): Promise<readonly string[]> {
  const backups = await listBackups(store);
  // With a wrong key nothing is removed.
  if (backups.length > 0) await readManifest(store, key, backups[0]);
  const removed = backups.slice(keep);
  for (const id of removed) {
    // The manifest first: without it the rest is no backup.
    await store.remove(`${folderOf(id)}/manifest`);
    for (const { name } of await store.list(`${folderOf(id)}/`)) await store.remove(name);
  }
  return removed;
}
