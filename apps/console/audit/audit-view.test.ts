// Filters of the audit screen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditQuery } from './audit-view.ts';

test('empty and invalid filters select nothing', () => {
  assert.deepEqual(auditQuery({}), {});
  assert.deepEqual(auditQuery({ id: 'x', user_id: '', from: '2026-13-40', act: '' }), {});
});

test('the last day is included in full', () => {
  assert.deepEqual(auditQuery({ from: '2026-11-01', to: '2026-11-30', subject: '7' }), {
    subject: '7',
    start_date: '2026-11-01T00:00:00.000Z',
    end_date: '2026-12-01T00:00:00.000Z',
  });
  assert.deepEqual(auditQuery({ id: '12', user_id: '17', act: 'user.freeze' }), {
    id: 12,
    user_id: 17,
    act: 'user.freeze',
  });
});
