// Builds the screens in `apps/` with Vite into files for any web server, with compressed copies.
// The new files replace the old ones in one step, when all of them exist.

import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { runProgram } from '../services/run-program.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Built files of the terminal and of the console. */
export const TERMINAL_FOLDER = join(ROOT, 'apps/terminal/dist');
export const CONSOLE_FOLDER = join(ROOT, 'apps/console/dist');
const APPS = [TERMINAL_FOLDER, CONSOLE_FOLDER] as const;

const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');
const CONFIG = join(ROOT, 'apps/vite.config.ts');
const SOURCES = [
  'apps/**',
  'client/**',
  'docs/operating/runbooks/**',
  'protocol/**',
  'package-lock.json',
];
const COMPRESSED = /\.(?:css|html|js|json|svg)$/;
/** Smaller files fit into one packet anyway. */
const COMPRESSED_FROM_BYTES = 1_024;
const BROTLI_QUALITY = 9;

export interface BuiltScreens {
  readonly folder: string;
  readonly consoleFolder: string;
  readonly tookMs: number;
  /** False if the files were newer than all sources. */
  readonly isNew: boolean;
}

const FOLDERS = { folder: TERMINAL_FOLDER, consoleFolder: CONSOLE_FOLDER } as const;

/** Builds if a source is newer than the files. Throws with the compiler's message. */
export async function ensureScreens(): Promise<BuiltScreens> {
  if (await isBuilt()) return { ...FOLDERS, tookMs: 0, isNew: false };
  return buildScreens();
}

export async function buildScreens(): Promise<BuiltScreens> {
  const beganMs = performance.now();
  await mkdir(join(ROOT, 'tmp'), { recursive: true });
  for (const folder of APPS) await buildApp(folder);
  return { ...FOLDERS, tookMs: performance.now() - beganMs, isNew: true };
}

async function buildApp(folder: string): Promise<void> {
  const made = join(ROOT, 'tmp', `screens-${randomUUID()}`);
  try {
    const args = [VITE, 'build', dirname(folder), '--config', CONFIG, '--outDir', made];
    const { output, succeeded } = await runProgram(
      process.execPath,
      [...args, '--logLevel', 'warn'],
      { folder: ROOT },
    );
    if (!succeeded) throw new Error(`The screens cannot be built.\n${output.trim()}`);
    await compressAll(made);
    await rm(folder, { recursive: true, force: true });
    await rename(made, folder);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

async function isBuilt(): Promise<boolean> {
  const indexes = await Promise.all(
    APPS.map((folder) => stat(join(folder, 'index.html')).catch(() => undefined)),
  );
  const builtMs = Math.min(...indexes.map((index) => index?.mtimeMs ?? 0));
  const sources = globSync(SOURCES, { cwd: ROOT, exclude: ['apps/*/dist/**', 'apps/*/dist'] });
  for (const source of sources) {
    const found = await stat(join(ROOT, source));
    if (found.isFile() && found.mtimeMs > builtMs) return false;
  }
  return true;
}

/** Writes `NAME.br` and `NAME.gz` next to each text file. */
async function compressAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && COMPRESSED.test(entry.name))
    .map(({ name, parentPath }) => join(parentPath, name));
  await Promise.all(files.map(compress));
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < COMPRESSED_FROM_BYTES) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
}
