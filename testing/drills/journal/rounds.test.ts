// Plan of the journal drill: derived from a seed, long enough, and with every kind of fault.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAULTS } from './faults.ts';
import { parseFaults, planRounds } from './rounds.ts';

test('the same seed produces the same rounds, another seed different ones', () => {
  const plan = (seed: number) => planRounds({ seed, quick: false, leftOut: [] });
  assert.deepEqual(plan(5), plan(5));
  assert.notDeepEqual(plan(5), plan(6));
});

test('a full drill has at least 30 rounds and every kind of fault', () => {
  const rounds = planRounds({ seed: 1, quick: false, leftOut: [] });
  assert.ok(rounds.length >= 30);
  assert.deepEqual(new Set(rounds.map(({ kind }) => kind)), new Set(Object.keys(FAULTS)));
});

test('an excluded fault does not occur', () => {
  const rounds = planRounds({ seed: 1, quick: false, leftOut: ['disk-full'] });
  assert.equal(
    rounds.some(({ kind }) => kind === 'disk-full'),
    false,
  );
});

test('faults can be chosen by name, and unknown names are rejected', () => {
  const chosen = parseFaults('disk-full,rolling');
  const rounds = planRounds({ seed: 1, quick: true, leftOut: [], chosen });
  assert.deepEqual(
    rounds.map(({ kind }) => kind),
    ['disk-full', 'rolling'],
  );
  assert.equal(parseFaults(undefined), undefined);
  assert.throws(() => parseFaults('earthquake'), /Unknown fault 'earthquake'/);
});
