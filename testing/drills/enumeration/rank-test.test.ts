// The rank test detects a difference if and only if one exists.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare, rankTest } from './rank-test.ts';

const range = (count: number, of: (at: number) => number) =>
  Array.from({ length: count }, (_, at) => of(at));

test('samples from one distribution do not differ, and shifted samples do', () => {
  const even = range(200, (at) => 100 + ((at * 7) % 13));
  const same = range(200, (at) => 100 + ((at * 11 + 5) % 13));
  assert.ok(rankTest(even, same) > 0.5);
  assert.ok(
    rankTest(
      even,
      same.map((value) => value + 2),
    ) < 0.001,
  );
  assert.equal(rankTest([5, 5, 5], [5, 5, 5]), 1);
});

// Computed with the normal approximation: U = 3, mean 12.5, deviation 4.7871.
test('the p of a small example matches the published value', () => {
  const p = rankTest([1, 2, 3, 4, 8], [5, 6, 7, 9, 10]);
  assert.equal(p.toFixed(3), '0.047');
});

test('the interval contains zero for equal samples, and not for shifted samples', () => {
  const even = range(300, (at) => 100 + (at % 10) / 10);
  const same = compare(even, even);
  assert.ok(same.differenceFrom <= 0 && same.differenceTo >= 0);
  const late = compare(
    even.map((value) => value + 1),
    even,
  );
  assert.ok(late.differenceFrom > 0.5 && late.knownMedian > late.unknownMedian);
});
