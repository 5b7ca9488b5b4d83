// A copy of the repository in a temporary folder, where one fault at a time is put in and taken
// out again. The repository itself is only read.

import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Fault, withFault } from './fault.ts';

export const REPOSITORY = resolve(import.meta.dirname, '../../..');

/** What tests read; what is not there yet is not copied. */
const COPIED = ['core', 'testing', 'tools', 'docs', 'package.json', 'tsconfig.json'];

export interface Workshop {
  readonly folder: string;
  /** Runs `work` while the fault is in the copy. */
  withFault<Result>(fault: Fault, work: () => Promise<Result>): Promise<Result>;
  remove(): void;
}

export function openWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-mutations-'));
  for (const name of COPIED.filter((one) => existsSync(join(REPOSITORY, one)))) {
    cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    async withFault(fault, work) {
      const path = join(folder, fault.file);
      const sound = readFileSync(path, 'utf8');
      writeFileSync(path, withFault(sound, fault));
      try {
        return await work();
      } finally {
        writeFileSync(path, sound);
      }
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
