// The hash index compared with a plain map of lists: with good and bad hashes, through several
// growths, and with removals while an entry may be in either table.

import assert from 'node:assert/strict';
import test from 'node:test';
import { chosenSeed, Random } from '../../testing/flows/index.ts';
import { HashIndex, NOWHERE } from './hash-index.ts';

/** Every slot that a caller would compare for this hash; some have another hash. */
function slotsFor(index: HashIndex, hash: number): number[] {
  const slots: number[] = [];
  for (let place = index.first(hash); place !== NOWHERE; place = index.next(place, hash)) {
    slots.push(index.slotAt(place));
  }
  return slots;
}

/** The index and its model, changed together. */
class Pair {
  readonly index: HashIndex;
  readonly hashOf = new Map<number, number>();
  readonly #byHash = new Map<number, Set<number>>();

  constructor(capacity: number) {
    this.index = new HashIndex(capacity);
  }

  insert(hash: number, slot: number): void {
    this.index.insert(hash, slot);
    this.hashOf.set(slot, hash);
    const slots = this.#byHash.get(hash);
    if (slots === undefined) this.#byHash.set(hash, new Set([slot]));
    else slots.add(slot);
  }

  remove(slot: number): void {
    const hash = this.hashOf.get(slot)!;
    this.index.remove(hash, slot);
    this.hashOf.delete(slot);
    this.#byHash.get(hash)?.delete(slot);
  }

  checkHash(hash: number): void {
    const expected = [...(this.#byHash.get(hash) ?? [])].sort((one, other) => one - other);
    const found = slotsFor(this.index, hash);
    assert.ok(
      found.every((slot) => this.hashOf.has(slot)),
      'nothing that was removed is found',
    );
    const ofHash = found
      .filter((slot) => this.hashOf.get(slot) === hash)
      .sort((one, other) => one - other);
    assert.deepEqual(ofHash, expected, `slots of hash ${hash}`);
  }

  check(): void {
    assert.equal(this.index.size, this.hashOf.size);
    for (const hash of this.#byHash.keys()) this.checkHash(hash);
  }
}

const HASHES: Record<string, (random: Random) => number> = {
  'all over the range': (random) => random.word() | 0,
  'of thirty values only': (random) => (random.below(30) * 0x9e3779b) | 0,
  'at the end of every table': (random) => -1 - random.below(6),
  'around the end of every table': (random) => random.between(-12, 12),
  'equal in their low bits': (random) => random.below(2_000) << 16,
};

for (const [kind, hashFrom] of Object.entries(HASHES)) {
  test(`hashes ${kind}: an index finds exactly the entries added and not removed`, () => {
    const random = new Random(chosenSeed());
    const pair = new Pair(1_500);
    const held: number[] = [];
    let slot = 0;
    for (let turn = 1; turn <= 4_000; turn++) {
      // Waves of mostly inserts, then mostly removals, so growing overlaps with both.
      const wantsMore = random.chance(turn % 2_000 < 1_300 ? 80 : 25);
      const isFull = held.length === 1_500;
      if ((wantsMore && !isFull) || held.length === 0) {
        pair.insert(hashFrom(random), ++slot);
        held.push(slot);
      } else {
        const [removed] = held.splice(random.below(held.length), 1);
        pair.remove(removed);
      }
      pair.checkHash(hashFrom(random));
      if (turn % 500 === 0) pair.check();
    }
    pair.check();
  });
}

test('a run across the end of the table stays intact in any order of removal', () => {
  // In 16 places: two hashes start at the last but one, two at the last, one at the first.
  const hashes = [14, 15, 15, 14, 0];
  for (const order of permutations([1, 2, 3, 4, 5])) {
    const pair = new Pair(16);
    for (const [at, hash] of hashes.entries()) pair.insert(hash, at + 1);
    for (const slot of order) {
      pair.remove(slot);
      pair.check();
    }
  }
});

for (const places of [16, 32, 1_024]) {
  test(`an index growing from ${places} places can be emptied half way`, () => {
    const random = new Random(chosenSeed());
    // The insert that finds more than a third of the places in use starts the growth.
    for (const insertedMeanwhile of [0, 1, 2, places / 32]) {
      const pair = new Pair(places * 4);
      let slot = 0;
      while (slot <= places / 3 + insertedMeanwhile) pair.insert(random.below(places), ++slot);
      for (const held of [...pair.hashOf.keys()]) {
        if (random.chance(70)) pair.remove(held);
      }
      pair.check();
      while (slot < places * 2) pair.insert(random.below(places), ++slot);
      pair.check();
    }
  });
}

test('an index holds its capacity and rejects the next entry', () => {
  const pair = new Pair(20);
  for (let slot = 1; slot <= 20; slot++) pair.insert(slot % 3, slot);
  assert.throws(() => pair.index.insert(7, 21), /stays within its capacity/);
  pair.remove(4);
  pair.insert(7, 21);
  pair.check();
});

test('reserving changes nothing except the growth', () => {
  const random = new Random(chosenSeed());
  for (const reserved of [0, 1, 5, 6, 500]) {
    const pair = new Pair(1_000);
    pair.index.reserve(reserved);
    for (let slot = 1; slot <= 700; slot++) pair.insert((random.below(400) * 0x9e3779b) | 0, slot);
    pair.check();
    for (let slot = 1; slot <= 700; slot += 2) pair.remove(slot);
    pair.check();
    assert.throws(() => pair.index.reserve(10), /sized while it is empty/);
  }
});

test('removing a missing entry throws', () => {
  const index = new HashIndex(4);
  index.insert(5, 1);
  assert.throws(() => index.remove(5, 2), /a removed entry is in the index/);
  assert.throws(() => index.remove(~5, 1), /a removed entry is in the index/);
  index.remove(5, 1);
  assert.throws(() => index.remove(5, 1), /a removed entry is in the index/);
});

test('a position in the old table cannot be read without an old table', () => {
  const index = new HashIndex(4);
  assert.throws(() => index.slotAt(-2), /needs an old table/);
});

function permutations(items: readonly number[]): number[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((first) =>
    permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

test('an index that grows keeps its entries and accepts more', () => {
  const pair = new Pair(4);
  for (let slot = 1; slot <= 4; slot++) pair.insert(slot, slot);
  pair.index.grow(30);
  for (let slot = 5; slot <= 30; slot++) pair.insert(slot % 7, slot);
  pair.check();
  assert.throws(() => pair.index.insert(7, 31), /stays within its capacity/);
  assert.throws(() => pair.index.grow(29), /never lowered/);
});
