// Each mutant matches its file exactly once, and its check or test exists.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withFault } from '../drills/mutations/fault.ts';
import { ALL_CHECKS } from './all-checks.ts';
import { isTest, MUTANTS } from './mutants.ts';

const ROOT = join(import.meta.dirname, '../..');

for (const mutant of MUTANTS) {
  test(`mutant: ${mutant.name}`, () => {
    const text = readFileSync(join(ROOT, mutant.file), 'utf8');
    assert.notEqual(withFault(text, mutant), text);
    const { caughtBy } = mutant;
    if (isTest(mutant)) assert.ok(existsSync(join(ROOT, caughtBy)), caughtBy);
    else assert.equal(ALL_CHECKS.filter(({ name }) => name.includes(caughtBy)).length, 1, caughtBy);
  });
}
