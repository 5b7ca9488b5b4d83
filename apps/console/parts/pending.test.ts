// A request for approval differs from an act that is done.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pendingId } from './pending.ts';

test('only the answer of a waiting request has its number', () => {
  const waiting = { message: 'Pending approval', approval_id: 7, status: false, waiting: true };
  assert.equal(pendingId(waiting), 7);
  assert.equal(pendingId({ id: 7, waiting: true }), undefined);
  assert.equal(pendingId({ approval_id: 7 }), undefined);
  assert.equal(pendingId([{ approval_id: 7, waiting: true }]), undefined);
  assert.equal(pendingId(null), undefined);
  assert.equal(pendingId('Success'), undefined);
});
