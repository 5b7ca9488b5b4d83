// Incidents: runbook steps, the timer and the record.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  alarmEntries,
  begin,
  exported,
  noted,
  readIncident,
  stepsOf,
  ticked,
  timerText,
} from './incident-log.ts';

const PAGE = `# NoLeader

## Means

No process leads.

## First two minutes

1. Does the log work? \`curl\` it.
2. See [LogUnreachable](log-unreachable.md).

## Find out

- a table

## Afterwards

Compare everything.
`;
const BEGAN = Date.parse('2026-11-17T03:00:00.000Z');

test('the steps come from the sections with operator actions', () => {
  assert.deepEqual(stepsOf(PAGE), [
    { section: 'First two minutes', text: 'Does the log work? curl it.' },
    { section: 'First two minutes', text: 'See LogUnreachable.' },
    { section: 'Afterwards', text: 'Compare everything.' },
  ]);
});

test('checking and unchecking a step are both recorded', () => {
  let incident = begin('No leader', 'no-leader', BEGAN);
  incident = ticked(incident, { number: 0, text: 'Look', atMs: BEGAN + 61_000 });
  assert.deepEqual(incident.done, [0]);
  incident = ticked(incident, { number: 0, text: 'Look', atMs: BEGAN + 62_000 });
  assert.deepEqual(incident.done, []);
  incident = noted(incident, { atMs: BEGAN + 3_661_000, kind: 'ended', text: 'over\nnow' });
  assert.equal(incident.endedAtMs, BEGAN + 3_661_000);
  assert.equal(
    exported(incident),
    [
      '2026-11-17T03:00:00.000Z\t+00:00\tbegun\tNo leader (no-leader)',
      '2026-11-17T03:01:01.000Z\t+01:01\tstep\tLook',
      '2026-11-17T03:01:02.000Z\t+01:02\tundone\tLook',
      '2026-11-17T04:01:01.000Z\t+1:01:01\tended\tover now',
      '',
    ].join('\n'),
  );
  assert.deepEqual(readIncident(JSON.stringify(incident)), incident);
});

test('alarms are recorded when they open and when they clear', () => {
  const kinds = alarmEntries(['A', 'B'], ['B', 'C'], BEGAN).map(
    ({ kind, text }) => `${kind} ${text}`,
  );
  assert.deepEqual(kinds, ['alarm C', 'cleared A']);
});

test('invalid stored data is not an incident', () => {
  for (const text of [null, '', '{}', '{"entries":1}', 'null']) {
    assert.equal(readIncident(text), undefined);
  }
  assert.equal(timerText(-5), '00:00');
  assert.equal(timerText(3_599_999), '59:59');
});
