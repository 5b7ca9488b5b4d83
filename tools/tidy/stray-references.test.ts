// Reports stray references in any text. Samples are joined at run time, so this file has none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceFile } from './source-file.ts';
import { checkStrayReferences } from './stray-references.ts';

const strays = [
  ['https://registry', '.npmjs', '.org/typescript'],
  ['see npmjs', '.com'],
  ['https://registry', '.internal-mirror', '.net/'],
  ['read ..', '/shared/design'],
  ['cd /', 'work/main'],
  ['(/', 'root/.cache)'],
  ['"/', 'Users/alice"'],
];

const innocent = [
  'https://example.com/root/index.html',
  'network/working',
  'services/work',
  '/workers',
  'the registry of markets',
  '../structures/index.ts',
];

for (const parts of strays) {
  test(`stray references: catches ${parts.join('|')}`, () => {
    assert.equal(checkStrayReferences([sourceFile('README.md', parts.join(''))]).length, 1);
  });
}

for (const text of innocent) {
  test(`stray references: accepts ${text}`, () => {
    assert.deepEqual(checkStrayReferences([sourceFile('README.md', text)]), []);
  });
}
