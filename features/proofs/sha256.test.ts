// The fixed-length hashes compared with node:crypto, for every length around a block's edges.

import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import test from 'node:test';
import { FixedHmac, FixedSha256 } from './sha256.ts';

const message = (length: number, round: number) =>
  Buffer.from(Array.from({ length }, (_, at) => (at * 31 + round * 7) % 256));

test('hashes of 0 to 130 bytes equal those of node:crypto, for repeated messages', () => {
  for (let length = 0; length <= 130; length++) {
    const hash = new FixedSha256(length);
    for (let round = 0; round < 3; round++) {
      const found = Buffer.alloc(34);
      hash.bytes.set(message(length, round));
      hash.digest(found, 1);
      const expected = createHash('sha256').update(message(length, round)).digest('hex');
      assert.equal(found.toString('hex'), `00${expected}00`);
    }
  }
});

test('HMACs of 0 to 70 bytes equal those of node:crypto', () => {
  const key = message(32, 9);
  for (let length = 0; length <= 70; length++) {
    const hmac = new FixedHmac(key, length);
    for (let round = 0; round < 2; round++) {
      const found = Buffer.alloc(32);
      hmac.bytes.set(message(length, round));
      hmac.digest(found);
      assert.deepEqual(found, createHmac('sha256', key).update(message(length, round)).digest());
    }
  }
});
