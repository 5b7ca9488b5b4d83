// What was added last is there, and never more than the bound.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RecentEntries } from './recent-entries.ts';

test('the last half is always there, and never more than the bound', () => {
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

test('what is added again counts once, and is new again', () => {
  const recent = new RecentEntries<string, number>(4);
  for (const key of ['a', 'b', 'c', 'a', 'd']) recent.set(key, key.charCodeAt(0));
  assert.ok(recent.has('a'));
  assert.ok(recent.size <= 4);
});

test('what is deleted is gone, however long ago it was added', () => {
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
