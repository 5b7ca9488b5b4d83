// Proves that the simulator and the tests detect bugs: each seeded bug is applied to a copy of the
// sources and must cause a violation within a few hundred schedules, or fail its test.

import assert from 'node:assert/strict';
import test from 'node:test';
import { findBug } from './faulty-copy.ts';
import { SEEDED_BUGS } from './seeded-bugs.ts';

const SCHEDULES_MAX = 300;

for (const bug of SEEDED_BUGS) {
  const detector = bug.test === undefined ? 'the simulator' : 'a test';
  test(`${detector} detects: ${bug.name}`, async (t) => {
    const { isFound, schedules, seed, words } = await findBug(bug, SCHEDULES_MAX);
    assert.ok(isFound, `not found in ${schedules} schedules`);
    t.diagnostic(`found by ${seed === undefined ? 'its test' : `seed ${seed}`}: ${words}`);
  });
}
