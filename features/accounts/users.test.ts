// Tests which texts have the form of an email address, in canonical spelling.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEmailAddress, normalEmail } from './users.ts';

const CASES: readonly [what: string, text: string, isAddress: boolean][] = [
  ['an address', 'ann@example.com', true],
  ['capitals and surrounding spaces', ' Ann@Example.COM ', true],
  ['a plus', 'ann+bot@example.com', true],
  ['a domain with other letters', 'ann@müller.example', true],
  ['no domain', 'ann', false],
  ['a domain without a dot', 'ann@example', false],
  ['two at-signs', 'ann@bob@example.com', false],
  ['lookalike letters', '\u0430nn@example.com', false],
  ['a space inside', 'ann smith@example.com', false],
  ['a line break in the domain', 'ann@example.com\r\nbcc:bob.example', false],
  ['a control character in the domain', 'ann@exam\u0007ple.com', false],
  ['a control character before the at-sign', 'a\u0000nn@example.com', false],
  ['254 characters', `${'a'.repeat(242)}@example.com`, true],
  ['255 characters', `${'a'.repeat(243)}@example.com`, false],
];

for (const [what, text, isAddress] of CASES) {
  test(`${what}: ${isAddress ? 'an address' : 'not an address'}`, () => {
    assert.equal(isEmailAddress(normalEmail(text)), isAddress);
  });
}
