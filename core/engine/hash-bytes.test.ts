// The state hash: identical on every machine and in every release, and different after any change
// of one bit or of the length.

import assert from 'node:assert/strict';
import test from 'node:test';
import { hashBytes } from './hash-bytes.ts';

function counting(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 7 + 3) & 0xff);
}

test('the hashes of known bytes never change', () => {
  const vectors: readonly [number, string][] = [
    [0, '250c4f894b97657275131ea155e5cc92'],
    [1, '0561cf267921168af3996b576753caed'],
    [15, 'f9897a2917cb84acf46086794aa85d90'],
    [16, '1b99660cb8f85870ea68f36e0d1caceb'],
    [17, '3decf96b250a0f8ce867db86c124de9f'],
    [64, 'dcacfaa0fb915fe9eb66d7fe59130cf3'],
    [1_000, '057f495729123fe5f1270c7e8156c4b6'],
  ];
  for (const [length, expected] of vectors) {
    assert.equal(hashBytes(counting(length)), expected, `${length} bytes`);
  }
});

test('changing any bit changes the hash', () => {
  for (const length of [1, 3, 4, 15, 16, 17, 31, 32, 33, 70]) {
    const bytes = counting(length);
    const hashes = new Set([hashBytes(bytes)]);
    for (let bit = 0; bit < length * 8; bit++) {
      bytes[bit >> 3] ^= 1 << (bit & 7);
      hashes.add(hashBytes(bytes));
      bytes[bit >> 3] ^= 1 << (bit & 7);
    }
    assert.equal(hashes.size, length * 8 + 1);
  }
});

test('the length changes the hash, even if all bytes are zero', () => {
  const hashes = Array.from({ length: 200 }, (_, length) => hashBytes(new Uint8Array(length)));
  assert.equal(new Set(hashes).size, 200);
});

test('swapping two blocks changes the hash', () => {
  const bytes = counting(48);
  const swapped = Uint8Array.from([
    ...bytes.subarray(16, 32),
    ...bytes.subarray(0, 16),
    ...bytes.subarray(32),
  ]);
  assert.notEqual(hashBytes(swapped), hashBytes(bytes));
});

test('the offset of the bytes in their buffer does not change the hash', () => {
  const bytes = counting(50);
  const elsewhere = new Uint8Array(60);
  elsewhere.set(bytes, 7);
  assert.equal(hashBytes(elsewhere.subarray(7, 57)), hashBytes(bytes));
});
