// Setup: which steps are done, and which risks remain.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDone, risksOf, type SafetyFacts, type SetupFacts, STEPS } from './setup-view.ts';

const EMPTY: SetupFacts = {
  isModeChosen: false,
  title: 'Rialto',
  mailsSent: false,
  coins: [],
  pairs: [],
};

const doneIn = (facts: Partial<SetupFacts>) =>
  STEPS.filter((step) => isDone(step, { ...EMPTY, ...facts })).join(' ');

test('a step is done when the exchange shows it', () => {
  const open = (symbol: string) => ({ symbol, allow_deposit: true });
  assert.equal(doneIn({}), '');
  assert.equal(doneIn({ isModeChosen: true, title: 'Acme' }), 'mode name');
  assert.equal(doneIn({ coins: [open('btc')] }), '', 'one asset makes no market');
  assert.equal(doneIn({ coins: [open('btc'), open('usdt')] }), 'assets');
  assert.equal(doneIn({ pairs: [{ name: 'btc-usdt', status: 'pre-launch' }] }), '');
  assert.equal(doneIn({ pairs: [{ name: 'btc-usdt', status: 'full' }] }), 'markets');
});

test('risks are named until they are gone', () => {
  const safe = {
    control: { administrators: 2, mode: 'team' },
    health: { ages: { backup_ms: 5, restore_drill_ms: 5 }, alarms: [] },
    supportLink: 'https://help.example',
  } as unknown as SafetyFacts;
  assert.deepEqual(risksOf(safe), []);
  assert.deepEqual(
    risksOf({ ...safe, control: { administrators: 1, mode: 'solo' }, supportLink: '' }),
    ['oneAdministrator', 'solo', 'noSupport'],
  );
  assert.deepEqual(risksOf({ ...safe, health: undefined }), ['noHealth']);
});
