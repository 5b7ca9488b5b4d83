// API keys of a sandbox's users with their secrets, stored next to its data: a restarted sandbox
// needs the secrets, and the registry cannot return them. For development only.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKey } from './sandbox-admin.ts';

export type Credentials = Readonly<Record<string, ApiKey>>;

export function credentialsPath(folder: string): string {
  return join(folder, 'credentials.json');
}

export function readCredentials(folder: string): Credentials {
  try {
    return JSON.parse(readFileSync(credentialsPath(folder), 'utf8')) as Credentials;
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw fault;
  }
}

export function writeCredentials(folder: string, credentials: Credentials): void {
  const text = `${JSON.stringify(credentials, null, 2)}\n`;
  writeFileSync(credentialsPath(folder), text, { mode: 0o600 });
}
