// The folder of one run of the drill, named after its process, and the cleanup of folders that
// killed runs have left.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SmallDisk } from './small-disk.ts';

/** The node whose store is on the small disk. */
export const SMALL_NODE = 'n3';

const PREFIX = 'rialto-journal-drill-';

export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

export function smallDiskFolder(folder: string): string {
  return join(folder, 'nats', SMALL_NODE, 'store');
}

/** Also unmounts the small disk, if there is one. */
export function removeFolder(folder: string): void {
  SmallDisk.unmount(smallDiskFolder(folder));
  rmSync(folder, { recursive: true, force: true });
}

export function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
    if (Number.isNaN(pid) || isRunning(pid)) continue;
    console.log(`removing ${name} of a killed run`);
    removeFolder(join(tmpdir(), name));
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
