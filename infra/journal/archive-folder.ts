// A folder on disk as the place of an archive and of snapshots. A file appears under its name only
// when all of it is on disk: temporary file, fsync, link or rename, fsync of the folder.

import { link, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveFiles } from './archive-files.ts';

const UNFINISHED = '.unfinished';

export class ArchiveFolder implements ArchiveFiles {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Makes the folder if it is not there. */
  async make(): Promise<void> {
    await mkdir(this.path, { recursive: true });
  }

  /** Without those that are still being written. */
  async list(): Promise<string[]> {
    const names = await this.#names();
    return names.filter((name) => !name.endsWith(UNFINISHED)).sort();
  }

  async readStart(name: string, bytesMax: number) {
    const file = await open(join(this.path, name), 'r');
    try {
      const { size } = await file.stat();
      const bytes = new Uint8Array(Math.min(size, bytesMax));
      let at = 0;
      while (at < bytes.length) {
        const { bytesRead } = await file.read(bytes, at, bytes.length - at, at);
        if (bytesRead === 0) break;
        at += bytesRead;
      }
      return { bytes: bytes.subarray(0, at), fileBytes: size };
    } finally {
      await file.close();
    }
  }

  read(name: string): Promise<Uint8Array> {
    return readFile(join(this.path, name));
  }

  async create(name: string, bytes: Uint8Array): Promise<boolean> {
    const unfinished = await this.#writeUnfinished(name, bytes);
    try {
      // A link is refused where a rename would replace what is there.
      await link(unfinished, join(this.path, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    } finally {
      await rm(unfinished, { force: true });
    }
    await this.#sync();
    return true;
  }

  /** Like create, and takes the place of a file of that name. */
  async replace(name: string, bytes: Uint8Array): Promise<void> {
    const unfinished = await this.#writeUnfinished(name, bytes);
    try {
      await rename(unfinished, join(this.path, name));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    await this.#sync();
  }

  async rename(name: string, newName: string): Promise<void> {
    await rename(join(this.path, name), join(this.path, newName));
    await this.#sync();
  }

  async remove(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    for (const name of names) await rm(join(this.path, name), { force: true });
    await this.#sync();
  }

  async removeUnfinished(): Promise<void> {
    const names = await this.#names();
    await this.remove(names.filter((name) => name.endsWith(UNFINISHED)));
  }

  async #names(): Promise<string[]> {
    const entries = await readdir(this.path, { withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  }

  async #writeUnfinished(name: string, bytes: Uint8Array): Promise<string> {
    const path = join(this.path, name + UNFINISHED);
    try {
      const file = await open(path, 'w');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return path;
  }

  /** A name is only safe once the folder that holds it is on disk too. */
  async #sync(): Promise<void> {
    const folder = await open(this.path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}
