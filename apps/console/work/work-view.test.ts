// Work queues: the count in the header is the sum of all queues that the operator can open.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queuesFor, totalOf, type WorkQueue } from './work-view.ts';

const queue = (name: WorkQueue['name'], waiting: number): WorkQueue => ({
  name,
  waiting,
  oldest_at: waiting === 0 ? null : '2026-11-18T10:00:00.000Z',
});

const QUEUES = [
  queue('approvals', 0),
  queue('withdrawals', 2),
  queue('deposits', 1),
  queue('findings', 4),
];

test('the total counts every queue that the operator can open', () => {
  const open = queuesFor(QUEUES, ['/approvals', '/withdrawals', '/deposits']);
  assert.equal(totalOf(open), 3);
});

test('queues with work come first', () => {
  const open = queuesFor(QUEUES, ['/approvals', '/withdrawals', '/deposits', '/surveillance']);
  assert.deepEqual(
    open.map(({ name }) => name),
    ['withdrawals', 'deposits', 'findings', 'approvals'],
  );
});
