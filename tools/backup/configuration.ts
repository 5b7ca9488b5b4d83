// A machine's configuration files without the access key: a backup and its key must not be enough
// to decrypt the secrets in the registry.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import { ToolFault } from '../command-line.ts';

export interface ConfigurationFile {
  /** Path within the folder. */
  readonly name: string;
  readonly content: Buffer;
}

const FILE_BYTES_MAX = 1024 * 1024;
const FILES_MAX = 1_000;
const ACCESS_KEY = 'RIALTO_ACCESS_KEY';
/** Data files, which are not configuration, wherever `rialto init` puts them. */
const DATA = /\.(?:segment|snapshot|draft)$/;

export function readConfiguration(
  folder: string,
  secretFiles: readonly string[],
): readonly ConfigurationFile[] {
  const secrets = secretFiles.map((file) => readFileSync(file, 'utf8').trim());
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !DATA.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  if (paths.length > FILES_MAX) {
    throw new ToolFault(`${folder} has ${paths.length} files (expected a folder of settings).`);
  }
  return paths.flatMap((path) => {
    const { size } = statSync(path);
    if (size > FILE_BYTES_MAX) {
      throw new ToolFault(`${path} has ${size} bytes (expected a file of settings).`);
    }
    const content = readFileSync(path);
    const text = content.toString();
    // Compared by content, because a copy under another name is the same secret.
    if (secrets.some((secret) => secret !== '' && text.trim() === secret)) return [];
    const holds = secrets.find((secret) => secret !== '' && text.includes(secret));
    if (holds !== undefined || parseEnv(text)[ACCESS_KEY] !== undefined) {
      throw new ToolFault(
        `${path} contains a key that must not be in a backup. Move it to a separate file ` +
          `(${ACCESS_KEY}_FILE).`,
      );
    }
    return [{ name: relative(folder, path), content }];
  });
}
