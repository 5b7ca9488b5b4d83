// Only `reveal` returns the value of a secret.

import assert from 'node:assert/strict';
import test from 'node:test';
import { format, inspect } from 'node:util';
import { Secret } from './secret.ts';

const secret = new Secret('xyzzy');

test('reveal returns the value', () => {
  assert.equal(secret.reveal(), 'xyzzy');
});

const WAYS: Record<string, () => string> = {
  'joined to a text': () => `${secret}`,
  'as JSON': () => JSON.stringify({ secret, list: [secret] }),
  'as its properties': () => JSON.stringify({ ...secret, own: Object.entries(secret) }),
  inspected: () => inspect({ deep: { secret } }, { depth: 9, showHidden: true }),
  formatted: () => format('%s %o %O %j', secret, secret, secret, secret),
  'in an error': () => String(new Error(`cannot log in with ${secret}`).stack),
};

for (const [way, show] of Object.entries(WAYS)) {
  test(`a secret is not shown ${way}`, () => assert.doesNotMatch(show(), /xyzzy/));
}

test('a printed secret appears as [secret]', () => {
  assert.equal(`password ${secret}`, 'password [secret]');
  assert.equal(JSON.stringify({ secret }), '{"secret":"[secret]"}');
  assert.equal(inspect([secret]), '[ [secret] ]');
});
