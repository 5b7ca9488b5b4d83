// Periods of statements across the ends of months and years.

import assert from 'node:assert/strict';
import test from 'node:test';
import { lastMonth, nextDay } from './statement-period.ts';

test('the previous month has its first and last day in UTC', () => {
  const cases = {
    '2026-01-01T00:00:00Z': ['2025-12-01', '2025-12-31'],
    '2026-03-31T23:59:59Z': ['2026-02-01', '2026-02-28'],
    '2028-03-05T12:00:00Z': ['2028-02-01', '2028-02-29'],
  };
  for (const [now, [from, to]] of Object.entries(cases)) {
    assert.deepEqual(lastMonth(new Date(now)), { from, to });
  }
});

test('the day after the last day of a month or year is the first of the next', () => {
  assert.equal(nextDay('2025-12-31'), '2026-01-01');
  assert.equal(nextDay('2028-02-28'), '2028-02-29');
});
