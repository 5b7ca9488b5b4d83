// Tests that every chart resolution name maps to candles of its length.

import assert from 'node:assert/strict';
import test from 'node:test';
import { CHART_RESOLUTION_NAMES, chartResolution, UDF_RESOLUTIONS } from './chart-resolutions.ts';

const MINUTES: Record<string, readonly string[]> = {
  1: ['1', '1m'],
  5: ['5', '5m'],
  15: ['15', '15m'],
  30: ['30', '30m'],
  60: ['60', 'H', '1H', '1h'],
  120: ['120', '2h'],
  240: ['240', '4H', '4h'],
  1440: ['D', '1D', '1d'],
  10080: ['W', '1W', '1w'],
};

test('every name maps to its length', () => {
  const lengths = Object.fromEntries(
    CHART_RESOLUTION_NAMES.map((name) => [name, chartResolution(name).lengthMs / 60_000]),
  );
  const expected = Object.entries(MINUTES).flatMap(([minutes, names]) =>
    names.map((name) => [name, Number(minutes)]),
  );
  assert.deepEqual(lengths, Object.fromEntries(expected));
});

test('charting libraries get only accepted names', () => {
  for (const name of UDF_RESOLUTIONS) assert.ok(CHART_RESOLUTION_NAMES.includes(name), name);
});
