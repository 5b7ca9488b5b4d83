// The longest time without a success includes a gap that is still open.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Availability } from './availability.ts';

test('a gap begins with the last success before the fault and lasts until the next', (context) => {
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  const availability = new Availability();
  for (const time of [100, 200, 900, 1_000]) {
    now = time;
    availability.succeeded('orders');
  }
  assert.equal(availability.longestGapMs('orders', 250), 700);
  assert.equal(availability.countSince('orders', 250), 2);
  now = 3_000;
  assert.equal(availability.longestGapMs('orders', 250), 2_000, 'nothing since');
  assert.equal(availability.longestGapMs('reads', 2_500), 500);
});
