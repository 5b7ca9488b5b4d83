// The GitHub workflow runs every stage once: a stage that no job names would never run there.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { STAGES } from './stages.ts';

const WORKFLOW = join(import.meta.dirname, '../../../.github/workflows/ci.yml');

test('the jobs of the workflow name every stage once', () => {
  const [, list] = /\n {8}stages:\n((?: {10}- .*\n)+)/.exec(readFileSync(WORKFLOW, 'utf8')) ?? [];
  assert.ok(list !== undefined, 'the workflow has no list of stages');
  const named = list.match(/\w+/g) ?? [];
  assert.deepEqual(named.toSorted(), STAGES.map(({ name }) => name).toSorted());
});
