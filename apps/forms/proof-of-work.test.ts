// The captcha is solved in the way that the exchange verifies it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { solveChallenge, zeroBits } from './proof-of-work.ts';

test('zero bits are counted from the first byte', () => {
  assert.equal(zeroBits(Uint8Array.of(0x80)), 0);
  assert.equal(zeroBits(Uint8Array.of(0x01)), 7);
  assert.equal(zeroBits(Uint8Array.of(0, 0x10)), 11);
  assert.equal(zeroBits(Uint8Array.of(0, 0)), 16);
});

test('a solution starts with the challenge, and its hash has enough zero bits', async () => {
  const solution = await solveChallenge('1.10.abc', 10);
  assert.match(solution, /^1\.10\.abc:\d+$/);
  assert.ok(zeroBits(createHash('sha256').update(solution).digest()) >= 10);
});
