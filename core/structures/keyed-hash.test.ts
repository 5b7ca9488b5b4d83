// The keyed hash: known values, identical on every machine, and texts that collide under one key
// do not collide under another.

import assert from 'node:assert/strict';
import test from 'node:test';
import { chosenSeed, Random } from '../../testing/flows/index.ts';
import { type HashKey, hashKeyed, NO_HASH_KEY } from './keyed-hash.ts';

const KEY: HashKey = { low: 0x03020100, high: 0x07060504 };

test('each word, their number and each half of the key change the hash', () => {
  const words = Int32Array.of(1, 2, 3);
  const hashes = [
    hashKeyed(KEY, 0, words),
    hashKeyed(KEY, 1, words),
    hashKeyed(KEY, 0, Int32Array.of(1, 2)),
    hashKeyed(KEY, 0, Int32Array.of(2, 1, 3)),
    hashKeyed({ ...KEY, low: 1 }, 0, words),
    hashKeyed({ ...KEY, high: 1 }, 0, words),
    hashKeyed(NO_HASH_KEY, 0, words),
  ];
  assert.equal(new Set(hashes).size, hashes.length);
  for (const hash of hashes) assert.equal(hash, hash | 0);
});

test('texts that share a cache line of an index under one key do not under another', () => {
  const random = new Random(chosenSeed());
  const mask = 0xffff;
  const words = Array.from({ length: 400_000 }, () => Int32Array.of(random.word(), random.word()));
  const colliding = words.filter((one) => (hashKeyed(KEY, 7, one) & mask) < 8);
  assert.ok(colliding.length > 20, `only ${colliding.length} collide`);
  const other = { low: 0x13579bdf, high: 0x2468ace0 };
  const together = colliding.filter((one) => (hashKeyed(other, 7, one) & mask) < 8);
  assert.ok(together.length <= 2, `${together.length} of ${colliding.length} still collide`);
});
