// Withdrawal policy: only changed values are sent, and only looser ones need approval, as
// features/payments/admin/withdrawal-policy.ts decides.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WithdrawalPolicy } from '../../../client/index.ts';
import { draftOf, type PolicyDraft, policyChange } from './policy-view.ts';

const POLICY: WithdrawalPolicy = {
  currency: 'usdt',
  one_review_from: '10000',
  two_reviews_from: '100000',
  new_address_from: '1000',
  fresh_funds_from: '1000',
  outflow_per_hour_max: '1000000',
  fresh_funds_hours: 1,
  new_for_hours: 24,
  open_max: 20,
  per_hour_max: 10,
};

const changed = (change: Partial<PolicyDraft>) =>
  policyChange(POLICY, { ...draftOf(POLICY), ...change });

test('a tighter value needs no approval, a looser one does', () => {
  const table: [Partial<PolicyDraft>, object, number][] = [
    [{ one_review_from: '5000' }, { one_review_from: '5000' }, 0],
    [{ one_review_from: '20000' }, { one_review_from: '20000' }, 1],
    [{ new_for_hours: '48' }, { new_for_hours: 48 }, 0],
    [{ new_for_hours: '12' }, { new_for_hours: 12 }, 1],
    [{ open_max: '5', per_hour_max: '11' }, { open_max: 5, per_hour_max: 11 }, 1],
  ];
  for (const [change, body, approvals] of table) {
    assert.deepEqual(changed(change), { body, approvals }, JSON.stringify(change));
  }
});

test('unchanged and invalid values are not sent', () => {
  assert.equal(changed({}), undefined);
  assert.equal(changed({ one_review_from: '10000.0' }), undefined);
  assert.equal(changed({ open_max: '1.5' }), undefined);
  assert.equal(changed({ two_reviews_from: '9999' }), undefined, 'two reviews below one');
});
