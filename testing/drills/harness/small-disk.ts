// A small disk for one node, which the drill can fill. It is a tmpfs, which needs root. Without
// permission it returns the reason, and the drill continues without it.

import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MEBIBYTE = 1024 * 1024;
/** Only used space consumes memory. */
const SIZE_MEBIBYTES = 8 * 1024;
/** Free space before the filler starts, so the filler is what fills the disk. */
const FILLER_MEBIBYTES = 32;
const FILLER = 'filler';

export class SmallDisk {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Mounts a disk on an existing folder, or returns the reason for the failure. */
  static mount(folder: string): SmallDisk | string {
    const fault = run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MEBIBYTES}m`, 'tmpfs', folder]);
    return fault ?? new SmallDisk(folder);
  }

  static unmount(folder: string): void {
    // Lazily, because a stopping server might still have files open.
    run('umount', ['-l', folder]);
  }

  /** Fills the disk completely. */
  fill(): void {
    const { bsize, bfree, blocks } = statfsSync(this.#folder);
    const usedMebibytes = Math.ceil(((blocks - bfree) * bsize) / MEBIBYTE);
    this.#resize(usedMebibytes + FILLER_MEBIBYTES);
    const filler = join(this.#folder, FILLER);
    writeFileSync(filler, '');
    for (const bytes of [MEBIBYTE, 4096]) {
      const block = new Uint8Array(bytes);
      while (appended(filler, block));
    }
  }

  free(): void {
    rmSync(join(this.#folder, FILLER));
    this.#resize(SIZE_MEBIBYTES);
  }

  #resize(mebibytes: number): void {
    const fault = run('mount', ['-o', `remount,size=${mebibytes}m`, this.#folder]);
    if (fault !== undefined) throw new Error(`The disk cannot be resized: ${fault}`);
  }
}

function appended(file: string, block: Uint8Array): boolean {
  try {
    writeFileSync(file, block, { flag: 'a' });
    return true;
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw fault;
  }
}

/** Returns undefined on success, otherwise the error output. */
function run(program: string, args: readonly string[]): string | undefined {
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error !== undefined) return error.message;
  return status === 0 ? undefined : stderr.trim();
}
