// The pages that send a reader somewhere send it to a place that exists.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'STYLE.md', 'docs/glossary.md'];
/** In backticks: a path from the root, in a folder that exists today. */
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

test('a page that names a file that is gone is caught', () => {
  assert.deepEqual(missingIn('see `core/engine/gone.ts` and `core/engine/index.ts`'), [
    'core/engine/gone.ts',
  ]);
});
