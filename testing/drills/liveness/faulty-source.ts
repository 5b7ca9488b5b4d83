// A copy of the sources whose engine fails on certain deposits, so that real processes can meet a
// poison command. The repository has no such setting.

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Fault, occurrencesOf, withFault } from '../mutations/fault.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const COPIED = ['core', 'infra', 'services', 'package.json'];

/** A deposit with this reference is poison. */
export const POISON_REFERENCE = 'poison';

const BUG: Fault = {
  name: 'the engine fails on deposits with a certain reference',
  file: 'core/engine/apply-frame.ts',
  find: `  switch (command.kind) {
    case 'PlaceOrder':`,
  replace: `  if ('reference' in command && command.reference === '${POISON_REFERENCE}') {
    throw new Error('planted by the drill');
  }
  switch (command.kind) {
    case 'PlaceOrder':`,
};

export function copyWithBug(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of COPIED) {
    cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, BUG.file);
  const sound = readFileSync(file, 'utf8');
  const count = occurrencesOf(sound, BUG);
  if (count !== 1) throw new Error(`${BUG.file} has ${count} places for the bug; expected 1`);
  writeFileSync(file, withFault(sound, BUG));
}
