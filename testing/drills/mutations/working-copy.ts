// A copy of the repository in a temporary folder, where one fault at a time is inserted and removed
// again. Never changes the repository itself.

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

/** Folders and files that the tests read. */
const COPIED = [
  'core',
  'features',
  'platform',
  'infra',
  'protocol',
  'services',
  'testing',
  'tools',
  'docs',
  'package.json',
  'tsconfig.json',
];

/** Returns the file's text in the repository, without the fault. */
export function soundText({ file }: Fault): string {
  return readFileSync(join(REPOSITORY, file), 'utf8');
}

/** Returns the file's text in the repository, with the fault. */
export function textWithFault(fault: Fault): string {
  return withFault(soundText(fault), fault);
}

export interface WorkingCopy {
  readonly folder: string;
  /** Runs `work` while the copy contains the fault. */
  withFault<Result>(fault: Fault, work: () => Promise<Result>): Promise<Result>;
  remove(): void;
}

export function openWorkingCopy(): WorkingCopy {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-mutations-'));
  for (const name of COPIED.filter((one) => existsSync(join(REPOSITORY, one)))) {
    cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    async withFault(fault, work) {
      const path = join(folder, fault.file);
      const original = readFileSync(path, 'utf8');
      writeFileSync(path, withFault(original, fault));
      try {
        return await work();
      } finally {
        writeFileSync(path, original);
      }
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
