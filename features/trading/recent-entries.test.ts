// Tests that the most recent entries are kept, never more than the limit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RecentEntries } from './recent-entries.ts';

test('the newest half is always kept, and never more than the limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 20 }), fc.nat(100), (entriesMax, count) => {
      const recent = new RecentEntries<number, string>(entriesMax);
      for (let key = 1; key <= count; key += 1) {
        recent.set(key, `${key}`);
        assert.ok(recent.size <= entriesMax, `${recent.size} of ${entriesMax}`);
        const half = Math.floor(entriesMax / 2);
        for (let last = Math.max(1, key - half + 1); last <= key; last += 1) {
          assert.equal(recent.get(last), `${last}`);
        }
      }
    }),
  );
});

test('an entry added again counts once and is recent again', () => {
  const recent = new RecentEntries<string, number>(4);
  for (const key of ['a', 'b', 'c', 'a', 'd']) recent.set(key, key.charCodeAt(0));
  assert.ok(recent.has('a'));
  assert.ok(recent.size <= 4);
});

test('a deleted entry is gone, however old it is', () => {
  const recent = new RecentEntries<number, number>(4);
  for (const key of [1, 2, 3, 4]) recent.set(key, key);
  for (const key of [3, 4]) recent.delete(key);
  assert.deepEqual(
    [3, 4].map((key) => recent.has(key)),
    [false, false],
  );
  recent.clear();
  assert.equal(recent.size, 0);
});
