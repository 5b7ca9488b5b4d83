// Preview of a manual credit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { creditEffect } from './credit-view.ts';

const THRESHOLDS = { one: '1000', two: '50000' };
const BTC = { price: '60000', holdings: '250', cap: '1000', thresholds: THRESHOLDS };

test('value, share and cap are computed from the amount in its unit', () => {
  assert.deepEqual(creditEffect({ ...BTC, amount: '1' }), {
    value: '60000',
    share: '0.004000',
    capShare: '0.251000',
    isOverCap: false,
    people: 2,
  });
  assert.equal(creditEffect({ ...BTC, amount: '' }), undefined);
  assert.equal(creditEffect({ ...BTC, amount: '0' }), undefined);
});

test('the thresholds decide how many approvals are required', () => {
  const people = (amount: string, change: object = {}) =>
    creditEffect({ ...BTC, ...change, amount })?.people;
  assert.equal(people('0.0166'), 0);
  assert.equal(people('0.01666667'), 1);
  assert.equal(people('0.8333'), 1);
  assert.equal(people('0.83333334'), 2);
  assert.equal(people('0.0001', { price: undefined }), 2, 'without a price');
  assert.equal(people('1', { thresholds: undefined }), undefined);
});

test('existing holdings count toward the cap', () => {
  const isOver = (amount: string, cap?: string) => creditEffect({ ...BTC, cap, amount })?.isOverCap;
  assert.equal(isOver('750', '1000'), false);
  assert.equal(isOver('750.00000001', '1000'), true);
  assert.equal(isOver('9999', '0'), false, 'no cap');
  assert.equal(isOver('9999'), false);
});
