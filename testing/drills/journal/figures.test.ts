// Metrics of the journal drill, from rounds with known times.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figuresByFault, type RoundDone, sequencerFailover } from './figures.ts';

const calm = { longestGapMs: 0, holes: 0, isDisturbed: false };
const rounds: RoundDone[] = [
  { ...calm, kind: 'sequencer-killed', failoverMs: [1_000], longestGapMs: 1_001 },
  { ...calm, kind: 'sequencer-killed', failoverMs: [1_200.4], longestGapMs: 1_201 },
  { ...calm, kind: 'sequencer-killed', failoverMs: [90_000], isDisturbed: true },
  { ...calm, kind: 'rolling', failoverMs: [50, 70], longestGapMs: 80 },
  { ...calm, kind: 'log-all-killed', failoverMs: [9_000], longestGapMs: 9_000, holes: 1 },
];

test('each fault has its own metrics, without the times of disturbed rounds', () => {
  const zero = { holes: 0 };
  assert.deepEqual(figuresByFault(rounds), {
    'sequencer-killed': {
      ...zero,
      rounds: 3,
      failoverMsP50: 1_000,
      failoverMsMax: 1_200,
      longestGapMs: 1_201,
    },
    rolling: { ...zero, rounds: 1, failoverMsP50: 50, failoverMsMax: 70, longestGapMs: 80 },
    'log-all-killed': {
      holes: 1,
      rounds: 1,
      failoverMsP50: 9_000,
      failoverMsMax: 9_000,
      longestGapMs: 9_000,
    },
  });
});

test('sequencer failover times exclude log outages', () => {
  assert.deepEqual(sequencerFailover(rounds), { failoverMsP50: 70, failoverMsMax: 1_200 });
  assert.deepEqual(sequencerFailover([]), { failoverMsP50: null, failoverMsMax: null });
});
