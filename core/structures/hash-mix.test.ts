// Hash distribution: in a table that is half full, fuller than any index, probes stay short for
// realistic ids and for ids chosen by an attacker.

import assert from 'node:assert/strict';
import test from 'node:test';
import { chosenSeed, Random } from '../../testing/flows/index.ts';
import { hashNumber, hashPair } from './hash-mix.ts';
import { hashKeyed } from './keyed-hash.ts';

const KEY = { low: 0x01020304, high: 0x05060708 };
const IDS = 32_768;
const LONGEST_PROBE_MAX = 256;
const MEAN_PROBE_MAX = 6;

function probesOf(hashes: readonly number[]): { longest: number; mean: number } {
  const mask = hashes.length * 2 - 1;
  const taken = new Uint8Array(mask + 1);
  let longest = 0;
  let sum = 0;
  for (const hash of hashes) {
    let steps = 0;
    while (taken[(hash + steps) & mask] === 1) steps++;
    taken[(hash + steps) & mask] = 1;
    longest = Math.max(longest, steps);
    sum += steps;
  }
  return { longest, mean: sum / hashes.length };
}

function every(hashOf: (index: number) => number): number[] {
  return Array.from({ length: IDS }, (_, index) => hashOf(index));
}

/** A text packed like a client order id: four characters to a word, nine words. */
function hashText(owner: number, text: string): number {
  const bytes = new Uint8Array(36);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return hashKeyed(KEY, owner, new Int32Array(bytes.buffer));
}

function strided(step: number): [string, number[]] {
  return [`numbers ${step} apart`, every((index) => hashNumber(1 + index * step))];
}

const random = new Random(chosenSeed());
const cases: [string, number[]][] = [
  ...[1, 2, 3, 7, 8, 10, 16, 64, 1_000, 1_024, 65_536, 2 ** 20, 2 ** 32, 2 ** 35].map(strided),
  ['consecutive numbers from 2^40', every((index) => hashNumber(2 ** 40 + index))],
  ['random numbers', every(() => hashNumber(random.word() * 2 ** 21 + random.below(2 ** 21)))],
  ['one asset of many users', every((index) => hashPair(17 + index, 1))],
  ['two assets of many users', every((index) => hashPair(17 + (index >> 1), 1 + (index & 1)))],
  ['16 assets of many users', every((index) => hashPair(17 + (index >> 4), 1 + (index & 15)))],
  ['commands of three sources', every((index) => hashPair(index % 3, Math.floor(index / 3)))],
  ['commands of 4,096 sources', every((index) => hashPair(index & 4_095, index >> 12))],
  ['counted texts of one user', every((index) => hashText(7, `order-${index}`))],
  ['one text of many users', every((index) => hashText(index, 'first'))],
  ['times as texts', every((index) => hashText(7, `${1_700_000_000_000 + index * 17}`))],
];

for (const [name, hashes] of cases) {
  test(`${name} are found within a few steps`, () => {
    const { longest, mean } = probesOf(hashes);
    assert.ok(longest <= LONGEST_PROBE_MAX, `the longest probe takes ${longest} steps`);
    assert.ok(mean <= MEAN_PROBE_MAX, `a probe takes ${mean} steps`);
  });
}

test('a hash is a signed 32-bit integer, as stored by the index', () => {
  for (let value = 0; value < 1_000; value++) {
    const hashes = [hashNumber(value * 1e12), hashPair(value, value * 1e9), hashText(value, 'x')];
    for (const hash of hashes) assert.equal(hash, hash | 0);
  }
});

test('every part of the input changes the hash', () => {
  assert.notEqual(hashNumber(5), hashNumber(5 + 2 ** 32));
  assert.notEqual(hashPair(1, 2), hashPair(2, 1));
  assert.notEqual(hashPair(1, 2), hashPair(1 + 2 ** 32, 2));
  assert.notEqual(hashPair(1, 2), hashPair(1, 2 + 2 ** 32));
  assert.notEqual(hashText(1, 'a'), hashText(2, 'a'));
  assert.notEqual(hashText(1, 'ab'), hashText(1, 'ba'));
  const [one, two] = [new Int32Array(1), new Int32Array(2)];
  assert.notEqual(hashKeyed(KEY, 0, one), hashKeyed(KEY, 0, two));
});
