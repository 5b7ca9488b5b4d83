// Removes the folders of killed runs, which are named after their processes, and unmounts their
// small disks.

import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SmallDisk } from '../harness/small-disk.ts';

/** Node whose store is on the small disk. */
export const SMALL_NODE = 'n3';

export function smallDiskFolder(folder: string): string {
  return join(folder, 'nats', SMALL_NODE, 'store');
}

export function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(/^rialto-(?:journal|trim)-drill-(\d+)-/.exec(name)?.[1]);
    if (Number.isNaN(pid) || isRunning(pid)) continue;
    console.log(`removing ${name} of a killed run`);
    const folder = join(tmpdir(), name);
    SmallDisk.unmount(smallDiskFolder(folder));
    rmSync(folder, { recursive: true, force: true });
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
