// The contract pages in the repository match the tables that the tests run.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { contractPages } from './contract-pages.ts';

for (const [path, text] of contractPages()) {
  test(`${path} is up to date`, () => {
    const stored = readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
    assert.equal(stored, text, 'run `npx node testing/contract/main.ts`');
  });
}
