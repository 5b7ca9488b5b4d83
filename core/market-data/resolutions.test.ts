// The start of candles, compared with an independently written calendar.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TimeMs } from '../money/index.ts';
import { candleStartMs, RESOLUTION_MS, RESOLUTIONS, type Resolution } from './resolutions.ts';

const EXAMPLES: readonly [resolution: Resolution, time: string, start: string][] = [
  ['1m', '2024-02-29T23:59:59.999Z', '2024-02-29T23:59:00.000Z'],
  ['1m', '2024-03-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ['5m', '2024-03-01T00:04:59.999Z', '2024-03-01T00:00:00.000Z'],
  ['15m', '2024-03-01T00:45:00.000Z', '2024-03-01T00:45:00.000Z'],
  ['1h', '2023-12-31T23:59:59.999Z', '2023-12-31T23:00:00.000Z'],
  ['4h', '2024-03-01T03:59:59.999Z', '2024-03-01T00:00:00.000Z'],
  ['4h', '2024-03-01T23:00:00.000Z', '2024-03-01T20:00:00.000Z'],
  ['1d', '2024-02-29T12:00:00.000Z', '2024-02-29T00:00:00.000Z'],
  // The last moment of a Sunday, the Monday after it, and a week across the turn of a year.
  ['1w', '2024-03-03T23:59:59.999Z', '2024-02-26T00:00:00.000Z'],
  ['1w', '2024-03-04T00:00:00.000Z', '2024-03-04T00:00:00.000Z'],
  ['1w', '2025-01-01T12:00:00.000Z', '2024-12-30T00:00:00.000Z'],
  ['1w', '1970-01-01T00:00:00.000Z', '1969-12-29T00:00:00.000Z'],
];

for (const [resolution, time, start] of EXAMPLES) {
  test(`a ${resolution} candle of ${time} begins at ${start}`, () => {
    const startMs = candleStartMs(resolution, Date.parse(time) as TimeMs);
    assert.equal(new Date(startMs).toISOString(), start);
  });
}

/** The same by the machine's calendar. */
function calendarStartMs(resolution: Resolution, timeMs: number): number {
  const date = new Date(timeMs);
  date.setUTCSeconds(0, 0);
  const minutes = { '1m': 1, '5m': 5, '15m': 15 }[resolution as string] ?? 60;
  date.setUTCMinutes(date.getUTCMinutes() - (date.getUTCMinutes() % minutes));
  const hours = { '4h': 4, '1d': 24, '1w': 24 }[resolution as string] ?? 1;
  date.setUTCHours(date.getUTCHours() - (date.getUTCHours() % hours));
  if (resolution === '1w') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.getTime();
}

test('candles begin at calendar boundaries, for any time and resolution', () => {
  const times = fc.integer({ min: 0, max: 4_102_444_800_000 });
  fc.assert(
    fc.property(times, fc.constantFrom(...RESOLUTIONS), (timeMs, resolution) => {
      const startMs = candleStartMs(resolution, timeMs as TimeMs);
      assert.equal(startMs, calendarStartMs(resolution, timeMs));
      const endMs = (startMs + RESOLUTION_MS[resolution]) as TimeMs;
      assert.ok(startMs <= timeMs && timeMs < endMs);
      assert.equal(candleStartMs(resolution, endMs), endMs);
    }),
  );
});
