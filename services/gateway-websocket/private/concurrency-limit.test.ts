// A limited number of tasks run concurrently, in order. Binary searches share their probes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { roundMiddle } from './event-history.ts';

test('a third task is queued until one of two ends, even if that one fails', async () => {
  const limit = new ConcurrencyLimit(2);
  const begun: number[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const run = (number: number) =>
    limit.run(() => {
      begun.push(number);
      ends[number] = Promise.withResolvers();
      return ends[number].promise;
    });
  const results = [0, 1, 2, 3].map(run);
  await turn();
  assert.deepEqual(begun, [0, 1]);
  ends[1].reject(new Error('no'));
  await assert.rejects(results[1], /no/);
  await turn();
  assert.deepEqual(begun, [0, 1, 2]);
  ends[0].resolve();
  await turn();
  assert.deepEqual(begun, [0, 1, 2, 3]);
  ends[2].resolve();
  ends[3].resolve();
  await Promise.all([results[0], results[2], results[3]]);
  void run(4);
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
});

test('the middle is in range and halves the remainder', () => {
  const place = fc.integer({ min: 1, max: 2 ** 40 });
  fc.assert(
    fc.property(place, fc.integer({ min: 1, max: 2 ** 40 }), (low, length) => {
      const middle = roundMiddle(low, low + length);
      assert.ok(middle >= low && middle < low + length);
      const share = Math.max(middle - low, low + length - middle - 1) / length;
      assert.ok(length < 8 || share <= 0.76, `${share}`);
    }),
  );
  // Two searches for nearly the same position share their probes.
  assert.equal(roundMiddle(1_000, 9_000), roundMiddle(1_100, 9_300));
});
