// Wire names in texts: found in sentences and cells, not in addresses and paths.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rawNamesIn } from './raw-names.ts';

test('wire names are found, addresses and paths are not', () => {
  assert.deepEqual(
    rawNamesIn([
      'password_changed',
      'Reason: factor_removed, twice factor_removed.',
      'can_withdraw_2',
      'ann_b@example.com',
      '/v2/deposit_address',
      'Password changed',
      'POST_ONLY',
    ]),
    ['password_changed', 'factor_removed', 'can_withdraw_2'],
  );
});
