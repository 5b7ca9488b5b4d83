// Paths named in the main documents exist.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'STYLE.md', 'docs/glossary.md'];
/** A path in backticks, from the root of the repository. */
const PATH = /`((?:core|domain|infra|services|testing|tools|docs)\/[\w./-]+)`/g;

function missingIn(text: string): string[] {
  return [...text.matchAll(PATH)].map((found) => found[1]).filter((path) => !isThere(path));
}

function isThere(path: string): boolean {
  return existsSync(join(ROOT, path));
}

for (const page of PAGES) {
  test(`${page} names only files that exist`, () => {
    assert.deepEqual(missingIn(readFileSync(join(ROOT, page), 'utf8')), []);
  });
}

test('a page that names a missing file is reported', () => {
  assert.deepEqual(missingIn('see `core/engine/gone.ts` and `core/engine/index.ts`'), [
    'core/engine/gone.ts',
  ]);
});
