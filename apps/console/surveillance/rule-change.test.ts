// Changes to surveillance rules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleChange } from './rule-change.ts';

const RULE = {
  is_on: true,
  parameters: { hits_min: 10, quiet_hours: 24 },
  ranges: [
    { name: 'hits_min', min: 1, max: 1000, looser: 'up' as const },
    { name: 'quiet_hours', min: 0, max: 720, looser: 'both' as const },
  ],
};
const TYPED = { hits_min: '10', quiet_hours: '24' };

test('a change that finds less needs approval', () => {
  const isLooser = (change: object, isOn = true) =>
    ruleChange(RULE, { ...TYPED, ...change }, isOn).isLooser;
  assert.equal(isLooser({}), false);
  assert.equal(isLooser({ hits_min: '11' }), true);
  assert.equal(isLooser({ hits_min: '9' }), false);
  assert.equal(isLooser({ quiet_hours: '23' }), true);
  assert.equal(isLooser({}, false), true, 'switched off');
});

test('only changed values are sent, and invalid values are named', () => {
  assert.deepEqual(ruleChange(RULE, TYPED, true), {
    parameters: {},
    invalid: [],
    isLooser: false,
    isChanged: false,
  });
  assert.deepEqual(ruleChange(RULE, { hits_min: '5', quiet_hours: '24' }, true).parameters, {
    hits_min: 5,
  });
  const typed = { hits_min: '1001', quiet_hours: '' };
  assert.deepEqual(ruleChange(RULE, typed, true).invalid, ['hits_min', 'quiet_hours']);
});
