// Reads all files that git tracks or would track: the input of the tidy rules.

import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type SourceFile, sourceFile } from './source-file.ts';

export const repositoryRoot: string = join(import.meta.dirname, '..', '..');

export function readRepository(root: string): SourceFile[] {
  const listing = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const files: SourceFile[] = [];
  for (const path of new Set(listing.split('\0'))) {
    // Git lists a deleted file until the deletion is staged.
    const found = path === '' ? undefined : statSync(join(root, path), { throwIfNoEntry: false });
    if (!found?.isFile()) continue;
    const text = readFileSync(join(root, path), 'utf8');
    const isBinary = text.includes('\0');
    if (!isBinary) files.push(sourceFile(path, text));
  }
  return files;
}
