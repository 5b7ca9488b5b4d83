// Tests which passwords are accepted, and the false hit rate of the filter for common ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refused } from '../../../protocol/wire/index.ts';
import { checkPassword, commonPasswords } from './password-rules.ts';

const owner = {
  email: 'marta.keller@example.com',
  exchangeName: 'Rialto Zürich',
  isOperator: false,
};

const cases: [what: string, password: string, refusal: string | undefined][] = [
  ['seven characters', 'kx9!mqz', 'password_weak'],
  ['eight characters', 'kx9!mqzv', undefined],
  ['letters only', 'purplelamphorse', undefined],
  ['128 characters', 'kx9!'.repeat(32), undefined],
  ['129 characters', `${'kx9!'.repeat(32)}a`, 'password_weak'],
  ['eight characters of four bytes each', '🐘🐋🦉🦊🐝🐢🦀🐙', undefined],
  ['seven of them', '🐘🐋🦉🦊🐝🐢🦀', 'password_weak'],
  ['eight characters that NFKC reduces to seven', 'kx9!mqe\u0301', 'password_weak'],
  ['a common one', 'password', 'password_weak'],
  ['a common one in capitals', 'PASSWORD', 'password_weak'],
  ['a common one in wide letters', 'ｐａｓｓｗｏｒｄ', 'password_weak'],
  ['a common one with a usual ending', 'dragon123!', 'password_weak'],
  ['the name in the address', 'Marta.Keller', 'password_weak'],
  ['the address', 'marta.keller@example.com', 'password_weak'],
  ['the exchange', 'rialto zürich', 'password_weak'],
];

for (const [what, password, refusal] of cases) {
  test(`password rules: ${what}: ${refusal ?? 'accepted'}`, () => {
    assert.equal(checkPassword(password, owner)?.key, refusal);
  });
}

test('operators need 15 characters, and a common password stays weak', () => {
  const operator = { ...owner, isOperator: true };
  assert.deepEqual(
    checkPassword('kx9!mqzvkx9!mq', operator),
    new Refused('password_weak_for_operator'),
  );
  assert.equal(checkPassword('kx9!mqzvkx9!mqz', operator), undefined);
  assert.deepEqual(checkPassword('password', operator), new Refused('password_weak'));
});

test('the filter is under 300 KiB and has about one false hit per 10,000', () => {
  const filter = commonPasswords();
  assert.ok(filter.bytes.length < 300 * 1_024);
  let hits = 0;
  for (let at = 0; at < 200_000; at++) if (filter.has(`never added ${at}`)) hits += 1;
  assert.ok(hits > 0 && hits < 50, `expected about 20 false hits in 200,000, got ${hits}`);
});
