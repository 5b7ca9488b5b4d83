// The Node that runs the tests computes right. The runtime drill shows that the check fails on a
// Node that does not.

import assert from 'node:assert/strict';
import test from 'node:test';
import { computesRight } from './check-runtime.ts';

test('a number that a closure and its loop both change keeps every update', () => {
  for (let run = 0; run < 20; run += 1) assert.ok(computesRight());
});
