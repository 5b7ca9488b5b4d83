// The built files of a web app, in memory: names, types, validators and compressed copies. A
// request can only name a file that is in the list, so no path leaves the folder.

import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

export type Encoding = 'br' | 'gzip';

export interface StaticFile {
  readonly type: string;
  /** Its name has the hash of its content, so it never changes. */
  readonly isImmutable: boolean;
  /** The strong validator of the content, without quotes. */
  readonly tag: string;
  readonly content: Buffer;
  readonly compressed: ReadonlyMap<Encoding, Buffer>;
}

export const INDEX_PATH = '/index.html';
/** Vite puts files with a hash in their name here. */
const HASHED_FOLDER = '/assets/';
const COMPRESSED: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];
const TYPES: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.ico', 'image/x-icon'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.webmanifest', 'application/manifest+json'],
  ['.woff2', 'font/woff2'],
]);
const TAG_CHARACTERS = 22;

export class StaticFiles {
  readonly #folder: string;
  #files: ReadonlyMap<string, StaticFile> = new Map();
  #loadedAs: string | undefined;
  #loading: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** `path` begins with a slash. Undefined if the build has no such file. */
  async find(path: string): Promise<StaticFile | undefined> {
    // A page is opened rarely: then a newer build is noticed.
    if (path === INDEX_PATH || this.#loadedAs === undefined) await this.#refresh();
    return this.#files.get(path);
  }

  #refresh(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    const index = await stat(join(this.#folder, INDEX_PATH)).catch(() => undefined);
    if (index === undefined) return;
    const version = `${index.mtimeMs} ${index.size}`;
    if (version === this.#loadedAs) return;
    this.#files = await readFiles(this.#folder);
    this.#loadedAs = version;
  }
}

async function readFiles(folder: string): Promise<ReadonlyMap<string, StaticFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // A link could lead out of the folder: only files count.
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => relative(folder, join(parentPath, name)));
  const contents = new Map<string, Buffer>();
  for (const name of names) contents.set(name, await readFile(join(folder, name)));
  const files = new Map<string, StaticFile>();
  for (const [name, content] of contents) {
    const type = TYPES.get(extname(name));
    if (type === undefined) continue;
    const path = `/${name.split(sep).join('/')}`;
    const compressed = COMPRESSED.flatMap(([encoding, end]) => {
      const found = contents.get(name + end);
      return found === undefined ? [] : [[encoding, found] as const];
    });
    files.set(path, {
      type,
      isImmutable: path.startsWith(HASHED_FOLDER),
      tag: createHash('sha256').update(content).digest('base64url').slice(0, TAG_CHARACTERS),
      content,
      compressed: new Map(compressed),
    });
  }
  return files;
}
