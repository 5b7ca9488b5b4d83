// Formats text with Biome without writing a file.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export function formatted(path: string, text: string): string {
  const { error, status, stderr, stdout } = spawnSync(
    'node_modules/.bin/biome',
    ['format', `--stdin-file-path=${path}`],
    { cwd: root, input: text, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`Biome could not format ${path}: ${stderr}`, { cause: error });
  return stdout;
}
