// A simulator that finds nothing proves little until it has been seen to find something: each
// deliberate fault is put into a copy of the sources and must show within a thousand schedules.

import assert from 'node:assert/strict';
import test from 'node:test';
import { simulateWith } from './faulty-copy.ts';
import { SEEDED_BUGS } from './seeded-bugs.ts';

const SCHEDULES_MAX = 1_000;

for (const fault of SEEDED_BUGS) {
  test(`it is found when ${fault.name}`, async (t) => {
    const { isFound, schedules, words } = await simulateWith(fault, SCHEDULES_MAX);
    assert.ok(isFound, `not found in ${schedules} schedules`);
    t.diagnostic(`found by schedule ${schedules}: ${words}`);
  });
}
