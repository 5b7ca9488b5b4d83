// Six hours of the agents' market stay within the bands for a short run.

import assert from 'node:assert/strict';
import test from 'node:test';
import { chartPng } from './chart.ts';
import { factsOf, outsideBand } from './facts.ts';
import { simulate } from './simulate.ts';

test('six hours have the stylized facts of a market and can be drawn', () => {
  const { record, startMs } = simulate({ seed: 1, hours: 6 });
  const facts = factsOf(record, true);
  assert.ok(facts.length > 15);
  assert.deepEqual(facts.filter(outsideBand), []);
  const png = chartPng(record.trades, startMs, 6);
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
});
