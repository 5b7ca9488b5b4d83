// Each console mutant matches its file exactly once, and its check or test exists.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withFault } from '../../drills/mutations/fault.ts';
import { isTest } from '../mutants.ts';
import { CONSOLE_CHECKS } from './console-checks.ts';
import { CONSOLE_MUTANTS } from './console-mutants.ts';

const ROOT = join(import.meta.dirname, '../../..');

for (const mutant of CONSOLE_MUTANTS) {
  test(`mutant: ${mutant.name}`, () => {
    const text = readFileSync(join(ROOT, mutant.file), 'utf8');
    assert.notEqual(withFault(text, mutant), text);
    const { caughtBy } = mutant;
    if (isTest(mutant)) assert.ok(existsSync(join(ROOT, caughtBy)), caughtBy);
    else assert.equal(CONSOLE_CHECKS.filter(({ name }) => name.includes(caughtBy)).length, 1);
  });
}
