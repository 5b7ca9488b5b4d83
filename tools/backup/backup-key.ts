// Backup key: 32 bytes in base64, in a file. Never an argument, never in the backup.

import { hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describeFault } from '../../infra/process/index.ts';
import { ToolFault } from '../command-line.ts';

const KEY_BYTES = 32;
const ID_BYTES = 16;
const FORMAT = 'rialto backup 1';

export class BackupKey {
  readonly #secret: Uint8Array;
  /** Identifies the key in each file without revealing it. */
  readonly id: Uint8Array;

  constructor(secret: Uint8Array) {
    this.#secret = secret;
    this.id = this.#derive(new Uint8Array(0), 'key id', ID_BYTES);
  }

  /** Derives the key of one file, so a renamed file cannot be opened. */
  ofFile(salt: Uint8Array, name: string): Uint8Array {
    return this.#derive(salt, `file ${name}`, KEY_BYTES);
  }

  #derive(salt: Uint8Array, purpose: string, bytes: number): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.#secret, salt, `${FORMAT} ${purpose}`, bytes));
  }
}

export function readBackupKey(file: string): BackupKey {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (fault) {
    throw new ToolFault(`Cannot read the key file ${file}: ${describeFault(fault)}.`);
  }
  const secret = Buffer.from(text, 'base64');
  if (secret.length !== KEY_BYTES || secret.toString('base64') !== text) {
    const advice = `openssl rand -base64 ${KEY_BYTES} > FILE generates one`;
    throw new ToolFault(`${file} is not a key: expected ${KEY_BYTES} bytes in base64 (${advice}).`);
  }
  return new BackupKey(secret);
}
