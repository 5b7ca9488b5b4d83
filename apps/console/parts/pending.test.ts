// A response pending approval differs from a completed action.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pendingId } from './pending.ts';

test('only a response pending approval has a request ID', () => {
  const waiting = { message: 'Pending approval', approval_id: 7, status: false, waiting: true };
  assert.equal(pendingId(waiting), 7);
  assert.equal(pendingId({ id: 7, waiting: true }), undefined);
  assert.equal(pendingId({ approval_id: 7 }), undefined);
  assert.equal(pendingId([{ approval_id: 7, waiting: true }]), undefined);
  assert.equal(pendingId(null), undefined);
  assert.equal(pendingId('Success'), undefined);
});
