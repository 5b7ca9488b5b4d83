// Day ranges of the activity lists.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDayRange, rangeOf } from './day-range.ts';

test('a range has its days in order, and either end can be open', () => {
  for (const [from, to, expected] of [
    ['', '', true],
    ['2026-11-01', '', true],
    ['2026-11-01', '2026-11-01', true],
    ['2026-11-02', '2026-11-01', false],
    ['soon', '', false],
  ] as const) {
    assert.equal(isDayRange(from, to), expected, `${from} ${to}`);
  }
});

test('the last day belongs to the range', () => {
  assert.deepEqual(rangeOf('2026-11-01', '2026-11-02'), {
    start_date: '2026-11-01T00:00:00.000Z',
    end_date: '2026-11-02T23:59:59.999Z',
  });
  assert.deepEqual(rangeOf('', ''), {});
});
