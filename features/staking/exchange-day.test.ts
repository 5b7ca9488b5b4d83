// Tests days of the exchange in zones with other offsets and with clock changes.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dayAfter, dayOf, midnightOf } from './exchange-day.ts';

describe('exchange days', () => {
  const DAYS: [time: string, zone: string, day: string][] = [
    ['2026-03-01T00:00:00Z', 'UTC', '2026-03-01'],
    ['2026-02-28T23:59:59.999Z', 'UTC', '2026-02-28'],
    ['2026-02-28T15:00:00Z', 'Asia/Tokyo', '2026-03-01'],
    ['2026-03-01T04:59:00Z', 'America/New_York', '2026-02-28'],
  ];
  for (const [time, zone, day] of DAYS) {
    test(`${time} is ${day} in ${zone}`, () => assert.equal(dayOf(Date.parse(time), zone), day));
  }

  const MIDNIGHTS: [day: string, zone: string, time: string][] = [
    ['2026-03-01', 'UTC', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01', 'Asia/Kathmandu', '2026-02-28T18:15:00.000Z'],
    ['2026-03-09', 'America/New_York', '2026-03-09T04:00:00.000Z'],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z'],
    ['2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z'],
  ];
  for (const [day, zone, time] of MIDNIGHTS) {
    test(`${day} begins in ${zone} at ${time}`, () =>
      assert.equal(midnightOf(day, zone).toISOString(), time));
  }

  test('days continue correctly after the end of February', () => {
    assert.equal(dayAfter('2028-02-28'), '2028-02-29');
    assert.equal(dayAfter('2026-02-28'), '2026-03-01');
    assert.equal(dayAfter('2026-01-01', 400), '2027-02-05');
  });
});
