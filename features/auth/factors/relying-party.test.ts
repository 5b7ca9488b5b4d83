// Tests that the passkey domain and origins follow from the public URL unless they are set.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relyingPartyOf } from './relying-party.ts';

const none = { apiName: 'Rialto', passkeyDomain: undefined, passkeyOrigins: [] };

const cases: [publicUrl: string, id: string, origin: string][] = [
  ['https://exchange.test', 'exchange.test', 'https://exchange.test'],
  ['https://exchange.test/v2', 'exchange.test', 'https://exchange.test'],
  ['http://127.0.0.1:8080', 'localhost', 'http://localhost:8080'],
  ['http://[::1]:8080', 'localhost', 'http://localhost:8080'],
];

for (const [publicUrl, id, origin] of cases) {
  test(`passkeys for ${publicUrl} belong to ${id}`, () => {
    assert.deepEqual(relyingPartyOf({ ...none, publicUrl }), {
      name: 'Rialto',
      id,
      origins: [origin],
    });
  });
}

test('a web app on another host has its own domain and origins', () => {
  const passkeyOrigins = ['https://exchange.test', 'https://m.exchange.test'];
  const passkeyDomain = 'exchange.test';
  const publicUrl = 'https://api.exchange.test';
  assert.deepEqual(relyingPartyOf({ ...none, publicUrl, passkeyDomain, passkeyOrigins }), {
    name: 'Rialto',
    id: 'exchange.test',
    origins: passkeyOrigins,
  });
});
