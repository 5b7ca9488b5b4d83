// The console tells who must agree, as the exchange decides it: `assessApprovals` in
// features/approvals.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consentFor } from './consent.ts';

test('dialogs tell who must agree in each mode', () => {
  const table = [
    [0, 'solo', 'admin', 'none'],
    [0, 'team', 'manager', 'none'],
    [1, 'solo', 'admin', 'solo'],
    [2, 'solo', 'admin', 'solo'],
    [1, 'solo', 'manager', 'administrator'],
    [2, 'solo', 'supervisor', 'administrator'],
    [1, 'team', 'admin', 'one'],
    [2, 'team', 'admin', 'two'],
  ] as const;
  for (const [needed, mode, role, expected] of table) {
    assert.equal(consentFor(needed, { mode, role }), expected, `${needed} ${mode} ${role}`);
  }
});
