// A file with an ext4 file system for one server. A frozen disk accepts no write, so a sync blocks.

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

const SIZE_MEBIBYTES = 2_048;

export class FrozenDisk {
  readonly #folder: string;

  constructor(folder: string, image: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    run('truncate', '-s', `${SIZE_MEBIBYTES}M`, image);
    run('mkfs.ext4', '-q', image);
    run('mount', '-o', 'loop', image, folder);
  }

  freeze(): void {
    run('fsfreeze', '-f', this.#folder);
  }

  thaw(): void {
    run('fsfreeze', '-u', this.#folder);
  }

  unmount(): void {
    run('umount', '-l', this.#folder);
  }
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
