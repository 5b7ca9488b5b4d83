// Proves that the simulator detects bugs: each seeded bug is put into a copy of the sources and
// must cause a violation within a thousand schedules.

import assert from 'node:assert/strict';
import test from 'node:test';
import { simulateWith } from './faulty-copy.ts';
import { SEEDED_BUGS } from './seeded-bugs.ts';

const SCHEDULES_MAX = 1_000;

for (const fault of SEEDED_BUGS) {
  test(`the simulator detects: ${fault.name}`, async (t) => {
    const { isFound, schedules, words } = await simulateWith(fault, SCHEDULES_MAX);
    assert.ok(isFound, `not found in ${schedules} schedules`);
    t.diagnostic(`found by schedule ${schedules}: ${words}`);
  });
}
