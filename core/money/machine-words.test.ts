// A machine word equals the safe integer it was made from.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { wordFromSafe } from './machine-words.ts';

test('a word equals its safe integer', () => {
  const edges = [0, 1, 2 ** 30 - 1, 2 ** 30, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER];
  for (const edge of edges) assert.equal(wordFromSafe(edge), BigInt(edge));
  fc.assert(fc.property(fc.maxSafeNat(), (value) => wordFromSafe(value) === BigInt(value)));
});
