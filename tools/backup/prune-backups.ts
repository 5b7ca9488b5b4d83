// Removes old backups. Segments are kept permanently, because every later backup needs them.

import type { BackupKey } from './backup-key.ts';
import type { BackupStore } from './backup-store.ts';
import { folderOf, listBackups, readManifest } from './manifest.ts';

/** Returns the IDs of the removed backups. */
export async function pruneBackups(
  store: BackupStore,
  key: BackupKey,
  keep: number,
): Promise<readonly string[]> {
  const backups = await listBackups(store);
  // With a wrong key, nothing is removed.
  if (backups.length > 0) await readManifest(store, key, backups[0]);
  const removed = backups.slice(keep);
  for (const id of removed) {
    // Removes the manifest first; without it, the rest is not a backup.
    await store.remove(`${folderOf(id)}/manifest`);
    for (const { name } of await store.list(`${folderOf(id)}/`)) await store.remove(name);
  }
  return removed;
}
