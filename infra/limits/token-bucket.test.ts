// A bucket refills up to its burst, and a debt is repaid first.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TokenBucket } from './token-bucket.ts';

test('a burst is available immediately, then the refill', () => {
  const bucket = new TokenBucket({ burst: 2, perSecond: 1 }, 0);
  assert.deepEqual([bucket.take(1, 0), bucket.take(1, 0), bucket.take(1, 0)], [true, true, false]);
  assert.deepEqual([bucket.take(1, 1_000), bucket.take(1, 1_000)], [true, false]);
  assert.equal(bucket.leftAt(60_000), 2);
  assert.deepEqual([bucket.isFull(2_000), bucket.isFull(3_000)], [false, true]);
});

test('a cost above the remainder leaves a debt, which can be limited', () => {
  const bucket = new TokenBucket({ burst: 2, perSecond: 1 }, 0);
  assert.equal(bucket.take(5, 0), true);
  assert.deepEqual([bucket.take(1, 3_000), bucket.take(1, 3_001)], [false, true]);
  bucket.use(100, 4_000, 2);
  assert.deepEqual([bucket.leftAt(4_000), bucket.usedAtMs], [-2, 4_000]);
});
