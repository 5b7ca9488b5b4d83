// The key file: the key-encryption keys of the exchange, read from a file or a variable. Outside
// development it is never generated: an exchange that loses it can open none of its secrets.

import { randomBytes } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Secret } from '../../infra/process/index.ts';
import { FIRST_KEK_ID, type Keys, VAULT_KEY_BYTES } from './vault.ts';

export interface KeyFileSource {
  readonly accessKeyFile: string | undefined;
  readonly accessKey: Secret | undefined;
  readonly isDevelopment: boolean;
}

/** The key file is missing or malformed, or has other keys than the registry. */
export class KeyFileFault extends Error {
  override readonly name = 'KeyFileFault';
  /** A restart with the same settings fails again. */
  readonly isConfiguration = true;
}

const KEY_LINE = /^(?:(?<id>[1-9]\d{0,8}) )?(?<text>[A-Za-z0-9+/=]+)$/;
const DEVELOPMENT_FILE = 'tmp/access-key';

/** The keys by number. */
export function readKeyFile(source: KeyFileSource): Keys {
  const { accessKey, accessKeyFile, isDevelopment } = source;
  if (accessKey !== undefined && accessKeyFile !== undefined) {
    throw new KeyFileFault(
      'RIALTO_ACCESS_KEY and RIALTO_ACCESS_KEY_FILE are both set (set only one of them)',
    );
  }
  if (accessKey !== undefined) return decode(accessKey.reveal(), 'RIALTO_ACCESS_KEY');
  if (accessKeyFile === undefined && !isDevelopment) {
    throw new KeyFileFault('RIALTO_ACCESS_KEY_FILE is not set (expected the path of the key file)');
  }
  const file = fileOf(source);
  return decode(isDevelopment ? readOrMake(file) : readFileSync(file, 'utf8'), file);
}

/**
 * Writes a new random key with this number to the key file. Readers see the old file or the new
 * one, never a part. The key is not returned: it exists only in the file.
 */
export function addKeyToFile(source: KeyFileSource, id: number): void {
  if (source.accessKey !== undefined) {
    throw new KeyFileFault('RIALTO_ACCESS_KEY is a variable, so no key can be added to its file');
  }
  const keys = new Map(readKeyFile(source));
  const file = fileOf(source);
  if (keys.has(id)) throw new KeyFileFault(`${file} already has key ${id}`);
  keys.set(id, randomBytes(VAULT_KEY_BYTES));
  const lines = [...keys].map(
    ([number, key]) => `${number} ${Buffer.from(key).toString('base64')}\n`,
  );
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, lines.join(''), { mode: statSync(file).mode, flush: true });
  renameSync(unfinished, file);
}

function fileOf({ accessKeyFile = DEVELOPMENT_FILE }: KeyFileSource): string {
  return resolve(accessKeyFile);
}

function decode(found: string, from: string): Keys {
  const lines = found.trim().split('\n');
  const keys = new Map<number, Uint8Array>();
  for (const line of lines) {
    const { id = `${FIRST_KEK_ID}`, text = '' } = KEY_LINE.exec(line.trim())?.groups ?? {};
    const key = Buffer.from(text, 'base64');
    if (key.length !== VAULT_KEY_BYTES || key.toString('base64') !== text) {
      throw new KeyFileFault(
        `${from} is not a key file (expected ${VAULT_KEY_BYTES} bytes in base64 on each line)`,
      );
    }
    if (keys.has(Number(id))) throw new KeyFileFault(`${from} has two keys with number ${id}`);
    keys.set(Number(id), key);
  }
  return keys;
}

// Several processes can start at the same time: the file appears complete, and the first one wins.
function readOrMake(file: string): string {
  const unfinished = `${file}.${process.pid}`;
  try {
    return readFileSync(file, 'utf8');
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ENOENT') throw fault;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(unfinished, randomBytes(VAULT_KEY_BYTES).toString('base64'), { mode: 0o600 });
  try {
    linkSync(unfinished, file);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault;
  } finally {
    rmSync(unfinished);
  }
  return readFileSync(file, 'utf8');
}
