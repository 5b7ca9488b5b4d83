// Tests that a memo identifies its user and that a mistyped memo identifies no user.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { memoOf, userOfMemo } from './memo.ts';

test('the check digit matches the published example', () => {
  assert.equal(memoOf(572 as UserId), '5724');
});

test('a memo identifies its user', () => {
  for (const user of [1, 9, 10, 4711, 400_000_000, 2_147_483_647]) {
    assert.equal(userOfMemo(memoOf(user as UserId)), user);
  }
});

test('memos for 400 million users fit in 32 bits', () => {
  assert.ok(Number(memoOf(400_000_000 as UserId)) < 2 ** 32);
});

test('a memo with one wrong digit or two swapped digits identifies no user', () => {
  const memo = memoOf(918_273 as UserId);
  const wrong = [...memo].flatMap((digit, at) => {
    const others = [...'0123456789'].filter((other) => other !== digit);
    const changed = others.map((other) => memo.slice(0, at) + other + memo.slice(at + 1));
    const next = memo[at + 1];
    const isOther = next !== undefined && next !== digit;
    return isOther ? [...changed, memo.slice(0, at) + next + digit + memo.slice(at + 2)] : changed;
  });
  assert.equal(wrong.length, 9 * 7 + 6);
  assert.deepEqual(
    wrong.filter((text) => userOfMemo(text) !== undefined),
    [],
  );
});

test('texts that are not memos identify no user', () => {
  for (const text of ['', '0', '04', ' 5724', '5724 ', '57.24', '-5724', `${'9'.repeat(20)}`]) {
    assert.equal(userOfMemo(text), undefined, text);
  }
});
