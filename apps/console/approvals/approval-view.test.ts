// Approval requests by operator: to decide, pending, and no vote on the operator's own request.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Approval } from '../../../client/index.ts';
import { actOn, mineWaiting, toDecide } from './approval-view.ts';

const VOTER = {
  id: 3,
  permissions: ['/admin/approval/vote:post', '/admin/approval:delete'],
  powers: [],
};

function request(change: Partial<Approval>): Approval {
  return {
    id: 1,
    act: 'pair.change',
    object: 'market btc-usdt',
    state: 'pending',
    reason: null,
    requester_id: 4,
    requester_role: 'manager',
    needed: 1,
    approvals: 0,
    shown: [],
    payload: {},
    personal: 'none',
    payload_hash: 'ab',
    value: null,
    retype: false,
    result: null,
    created_at: '2026-11-17T10:00:00.000Z',
    expires_at: '2026-11-18T10:00:00.000Z',
    ended_at: null,
    ...change,
  };
}

test('an operator cannot vote on their own request', () => {
  const table: [string, Partial<Approval>][] = [
    ['vote', {}],
    ['take-back', { requester_id: 3 }],
    ['none', { state: 'executed' }],
    ['none', { state: 'expired', requester_id: 3 }],
  ];
  for (const [act, change] of table) assert.equal(actOn(request(change), VOTER), act);
  assert.equal(actOn(request({}), { ...VOTER, permissions: ['/admin/approval:delete'] }), 'none');
  assert.equal(actOn(request({ requester_id: 3 }), { ...VOTER, permissions: ['*'] }), 'take-back');
});

test('requests to decide are sorted by expiry, and own requests are listed separately', () => {
  const rows = [
    request({ id: 1 }),
    request({ id: 2, expires_at: '2026-11-17T12:00:00.000Z' }),
    request({ id: 3, requester_id: 3 }),
    request({ id: 4, state: 'rejected' }),
  ];
  assert.deepEqual(
    toDecide(rows, VOTER).map(({ id }) => id),
    [2, 1],
  );
  assert.deepEqual(
    mineWaiting(rows, VOTER).map(({ id }) => id),
    [3],
  );
  assert.deepEqual(toDecide(rows, { ...VOTER, permissions: [] }), []);
});
