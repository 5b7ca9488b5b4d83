// The median of window ratios and its interval, on lists with known answers.

import assert from 'node:assert/strict';
import test from 'node:test';
import { isTooSlow, type Ratio, ratioOf } from './ratio.ts';

/** 0.902, 0.904, … one step for each window. */
const steps = (count: number) => Array.from({ length: count }, (_, at) => (902 + 2 * at) / 1_000);

// The bounds have ranks 1 and 10 of 10, 7 and 19 of 25, 40 and 61 of 100: each covers 95% or more.
const cases: [what: string, ratios: number[], expected: Omit<Ratio, 'windows'>][] = [
  ['10 windows', steps(10), { ratio: 0.911, low: 0.902, high: 0.92 }],
  ['25 windows', steps(25), { ratio: 0.926, low: 0.914, high: 0.938 }],
  ['100 windows', steps(100), { ratio: 1.001, low: 0.98, high: 1.022 }],
  ['windows in any order', steps(25).reverse(), { ratio: 0.926, low: 0.914, high: 0.938 }],
  ['equal windows', Array(20).fill(1.25), { ratio: 1.25, low: 1.25, high: 1.25 }],
  ['4 outliers of 30', [...Array(26).fill(1), 9, 9, 9, 0.1], { ratio: 1, low: 1, high: 1 }],
];
for (const [what, ratios, expected] of cases) {
  test(`the median and interval of ${what} are exact`, () => {
    assert.deepEqual(ratioOf([ratios]), { ...expected, windows: ratios.length });
  });
}

test('the interval includes the median of every round', () => {
  const [fast, slow] = [Array(10).fill(1), Array(30).fill(1.3)];
  const expected = { ratio: 1.3, low: 1, high: 1.3, windows: 40 };
  assert.deepEqual(ratioOf([slow, fast]), expected);
  const [even, slower] = [Array(20).fill(1), Array(20).fill(1.2)];
  assert.deepEqual(ratioOf([even, slower]), { ratio: 1.1, low: 1, high: 1.2, windows: 40 });
});

test('fewer than 10 windows are rejected', () => {
  assert.throws(() => ratioOf([steps(9)]), /expected at least 10 windows, received 9/);
});

test('only a lower bound above 1.05 is too slow', () => {
  const low = (bound: number) => isTooSlow({ ratio: 1.2, low: bound, high: 1.3, windows: 10 });
  assert.deepEqual([low(1), low(1.05), low(1.051)], [false, false, true]);
});
