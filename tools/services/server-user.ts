// User of a PostgreSQL server, which refuses to run as root, and that user's access to its folder.
// Unless this process runs as root, it is the current user.

import { chmodSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, resolve, sep } from 'node:path';

export type ServerUser = { uid: number; gid: number };

export const missingUserText =
  'PostgreSQL refuses to run as root, and this machine has no user "postgres"';

/** Undefined if the server runs as the current user. */
export function postgresUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const user = findServerUser();
  if (user === undefined) throw new Error(missingUserText);
  return user;
}

export function hasServerUser(): boolean {
  return process.getuid?.() !== 0 || findServerUser() !== undefined;
}

function findServerUser(): ServerUser | undefined {
  return parsePasswd(readFileSync('/etc/passwd', 'utf8'), 'postgres');
}

export function parsePasswd(text: string, name: string): ServerUser | undefined {
  const fields = text
    .split('\n')
    .map((line) => line.split(':'))
    .find((candidate) => candidate[0] === name);
  return fields === undefined ? undefined : { uid: Number(fields[2]), gid: Number(fields[3]) };
}

/**
 * Allows the user to traverse a folder and its parents. Changes only the folder itself and
 * temporary folders; the owner must open any other.
 */
export function allowTraversal(folder: string, user: ServerUser): void {
  const own = resolve(folder);
  const temporary = resolve(tmpdir()) + sep;
  for (let path = own; path !== dirname(path); path = dirname(path)) {
    const status = statSync(path);
    if (mayTraverse(status, user)) continue;
    if (path !== own && !path.startsWith(temporary)) {
      throw new Error(
        `PostgreSQL runs as the user "postgres", which has no access to ${path}.\n` +
          `Permit it (chmod o+x ${path}), or choose another folder with --folder.`,
      );
    }
    chmodSync(path, (status.mode & 0o7777) | 0o001);
  }
}

export function mayTraverse(
  status: { mode: number; uid: number; gid: number },
  { uid, gid }: ServerUser,
): boolean {
  if (status.uid === uid) return (status.mode & 0o100) !== 0;
  if (status.gid === gid) return (status.mode & 0o010) !== 0;
  return (status.mode & 0o001) !== 0;
}
