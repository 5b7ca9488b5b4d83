// Terms of an API key: typed addresses and expiry.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesOf, expiryAfter } from './key-terms.ts';

test('addresses are separated by commas, spaces and line breaks', () => {
  assert.deepEqual(addressesOf(' 10.0.0.1, 10.0.0.2\n2001:db8::1 ;'), [
    '10.0.0.1',
    '10.0.0.2',
    '2001:db8::1',
  ]);
  assert.deepEqual(addressesOf('  '), []);
});

test('a key expires a minute before the end of its last day', () => {
  const nowMs = Date.parse('2026-11-17T10:00:00Z');
  assert.equal(expiryAfter(30, nowMs), '2026-12-17T09:59:00.000Z');
});
