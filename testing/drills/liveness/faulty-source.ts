// A copy of the sources whose engine fails on certain deposits, so real processes can receive a
// poison command. The repository has no such setting.

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Fault, withFault } from '../mutations/fault.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const COPIED = ['core', 'infra', 'services', 'package.json'];

/** A deposit with this reference is poison. */
export const POISON_REFERENCE = 'poison';

export const BUG: Fault = {
  name: 'the engine fails on deposits with a certain reference',
  file: 'core/engine/apply-frame.ts',
  in: 'applyCommand',
  replace: [
    'switch (command.kind) {',
    `if ('reference' in command && command.reference === '${POISON_REFERENCE}') {
      throw new Error('planted by the drill');
    }
    switch (command.kind) {`,
  ],
};

export function copyWithBug(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of COPIED) {
    cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, BUG.file);
  writeFileSync(file, withFault(readFileSync(file, 'utf8'), BUG));
}
