// Each seeded bug still applies to exactly one place in the sources.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { withFault } from '../drills/mutations/fault.ts';
import { REPOSITORY } from './faulty-copy.ts';
import { SEEDED_BUGS } from './seeded-bugs.ts';

test('each seeded bug matches exactly one place and changes it', () => {
  for (const fault of SEEDED_BUGS) {
    const source = readFileSync(join(REPOSITORY, fault.file), 'utf8');
    assert.notEqual(withFault(source, fault), source, fault.name);
  }
});
