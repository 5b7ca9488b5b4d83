// A folder on disk that holds an archive or snapshots. A file appears under its name only when all
// of it is on disk: temporary file, fsync, link or rename, fsync of the folder.

import {
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
} from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The storage of an archive: a folder today, possibly an object store later. Files are written once
 * and never change. Errors of the storage itself pass through unchanged.
 */
export interface ArchiveFiles {
  /** The names of all files, sorted, without folders. */
  list(): Promise<string[]>;
  /** The first `bytesMax` bytes of a file, and the size of the file. */
  readStart(name: string, bytesMax: number): Promise<{ bytes: Uint8Array; fileBytes: number }>;
  read(name: string): Promise<Uint8Array>;
  /**
   * Writes a new file completely and durably, or not at all. Returns false if a file of that name
   * exists; that file stays as it is.
   */
  create(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Removes the remains of unfinished files. Only the writer can call it. */
  removeUnfinished(): Promise<void>;
}

const UNFINISHED = '.unfinished';

/** A file whose start is known only when the rest is written. */
export interface Pieces {
  readonly startBytes: number;
  readonly rest: AsyncIterable<Uint8Array>;
  /** Called after the last piece. */
  start(): Uint8Array;
}

async function writePieces(file: FileHandle, { rest, start, startBytes }: Pieces): Promise<void> {
  await file.write(new Uint8Array(startBytes));
  for await (const piece of rest) await file.writeFile(piece);
  const bytes = start();
  if (bytes.length !== startBytes) throw new Error(`the start has ${bytes.length} bytes`);
  await file.write(bytes, 0, startBytes, 0);
}

export class ArchiveFolder implements ArchiveFiles {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Creates the folder if it does not exist. */
  async make(): Promise<void> {
    await mkdir(this.path, { recursive: true });
  }

  /** Without files that are still being written. */
  async list(): Promise<string[]> {
    const names = await this.#names();
    return names.filter((name) => !name.endsWith(UNFINISHED)).sort();
  }

  readStart(name: string, bytesMax: number) {
    return this.readAt(name, 0, bytesMax);
  }

  /** At most `bytesMax` bytes from a position on, and the size of the file. */
  async readAt(name: string, from: number, bytesMax: number) {
    const file = await open(join(this.path, name), 'r');
    try {
      const { size } = await file.stat();
      const bytes = new Uint8Array(Math.max(0, Math.min(size - from, bytesMax)));
      let at = 0;
      while (at < bytes.length) {
        const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at);
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
      // link() fails if the name exists, where rename() would replace the file.
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

  /** Like create(), but in pieces, and replaces a file of that name. */
  async replace(name: string, content: Pieces): Promise<void> {
    const unfinished = await this.#writeUnfinished(name, content);
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

  async #writeUnfinished(name: string, content: Uint8Array | Pieces): Promise<string> {
    const path = join(this.path, name + UNFINISHED);
    try {
      const file = await open(path, 'w');
      try {
        if (content instanceof Uint8Array) await file.writeFile(content);
        else await writePieces(file, content);
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

  /** A file name is durable only once its folder is on disk. */
  async #sync(): Promise<void> {
    const folder = await open(this.path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}
