// Times in filters: a time without a zone is UTC, whatever the gateway's time zone is. `npm test`
// runs in a zone far from UTC, so a time read as local fails here.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentFilter } from './list-filters.ts';

const moments: [text: string, moment: string][] = [
  ['2026-01-02', '2026-01-02T00:00:00.000Z'],
  ['2026-01-02T03:04', '2026-01-02T03:04:00.000Z'],
  ['2026-01-02T03:04:05.678', '2026-01-02T03:04:05.678Z'],
  ['2026-01-02 03:04:05', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02 03:04:05.678', '2026-01-02T03:04:05.678Z'],
  ['2026-01-02 03:04:05Z', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
  ['2026-01-02T03:04:05-02:00', '2026-01-02T05:04:05.000Z'],
];

for (const [text, moment] of moments) {
  test(`${text} is ${moment}`, () => {
    assert.equal(momentFilter(text)?.toISOString(), moment);
  });
}

test('an absent time is no filter', () => {
  assert.equal(momentFilter(undefined), null);
});
