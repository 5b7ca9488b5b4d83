// Stores backups in a folder, preferably on another machine's disk.

import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { BackupFault } from './backup-fault.ts';
import type { BackupStore, StoredFile } from './backup-store.ts';
import type { Bytes } from './sealed-file.ts';

const UNFINISHED = '.unfinished';

export class FolderStore implements BackupStore {
  readonly place: string;

  constructor(folder: string) {
    this.place = resolve(folder);
  }

  async list(prefix: string): Promise<readonly StoredFile[]> {
    const entries = await readdir(this.place, { recursive: true, withFileTypes: true }).catch(
      (fault: NodeJS.ErrnoException) => {
        if (fault.code === 'ENOENT') return [];
        throw fault;
      },
    );
    const names = entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith(UNFINISHED))
      .map((entry) => relative(this.place, join(entry.parentPath, entry.name)))
      .filter((name) => name.startsWith(prefix))
      .sort();
    return Promise.all(
      names.map(async (name) => ({ name, bytes: (await stat(join(this.place, name))).size })),
    );
  }

  async *read(name: string): Bytes {
    try {
      yield* createReadStream(join(this.place, name));
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== 'ENOENT') throw fault;
      throw new BackupFault(name, 'missing');
    }
  }

  async write(name: string, content: Bytes): Promise<void> {
    await writeDurably(join(this.place, name), content);
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.place, name), { force: true });
  }
}

/** The file appears under its name only once it is complete on disk. Only its owner can read it. */
export async function writeDurably(path: string, content: Bytes): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = path + UNFINISHED;
  try {
    const file = await open(unfinished, 'w', 0o600);
    try {
      for await (const bytes of content) await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (fault) {
    await rm(unfinished, { force: true });
    throw fault;
  }
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
