// The heap of wakes: earliest first, equal times in the order of their arrival.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { MinHeap } from './min-heap.ts';

test('items are returned by time, then by arrival', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 9 })), (times) => {
      const heap = new MinHeap<string>();
      for (const [at, time] of times.entries()) heap.push(time, `${time} ${at}`);
      assert.equal(heap.size, times.length);
      const found = Array.from(times, () => heap.pop());
      const wanted = times
        .map((time, at) => ({ time, at }))
        .sort((a, b) => a.time - b.time || a.at - b.at);
      assert.deepEqual(
        found,
        wanted.map(({ at, time }) => `${time} ${at}`),
      );
      assert.equal(heap.pop(), undefined);
      assert.equal(heap.nextMs, Number.POSITIVE_INFINITY);
    }),
  );
});
