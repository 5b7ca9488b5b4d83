// A hash table from hashes to slots: open addressing with linear probing. Keys stay in the
// caller's records; the caller iterates with `first` and `next` and compares keys. Slots count
// from 1, so zeroed memory is an empty index. See docs/decisions/0006-layout.md.

import { assert } from './assert.ts';

/** No slot, no node, no entry: the end of every chain. */
export const NONE = 0;
/** No place: the end of a search. */
export const NOWHERE = -1;

const SLOT_BITS = 27;
const SLOT_MASK = (1 << SLOT_BITS) - 1;
/** Marks a removed entry in the old table, where entries are no longer shifted. */
const REMOVED = -1;
/** REMOVED decodes as the last slot, so the last slot is never used. */
const SLOTS_MAX = SLOT_MASK - 1;
const PLACES_INITIAL = 16;
/** Places moved per insert. The old table is empty long before the new one must grow. */
const PLACES_MOVED = 16;

// A place is four bytes, a slot and five bits of its hash, so a search reads one cache line.
// The full hash is stored separately, for removing and moving entries.
interface Table {
  readonly places: Int32Array;
  readonly hashes: Int32Array;
  readonly mask: number;
}

function createTable(places: number): Table {
  return { places: new Int32Array(places), hashes: new Int32Array(places), mask: places - 1 };
}

// The index grows by doubling, incrementally: each insert moves some entries from the old, smaller
// table to the new one. No operation pauses to rehash everything.
export class HashIndex {
  #capacity = 0;
  #size = 0;
  #table = createTable(PLACES_INITIAL);
  /** The table being emptied; undefined if the index is not growing. */
  #old: Table | undefined;
  #oldMoved = 0;

  constructor(capacity: number) {
    this.grow(capacity);
  }

  /** Raises the capacity. The tables follow the number of entries, not the capacity. */
  grow(capacity: number): void {
    assert(capacity <= SLOTS_MAX, 'the capacity fits the slot numbers');
    assert(capacity >= this.#capacity, 'a capacity is never lowered');
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#size;
  }

  /** Sizes an empty index for this many entries. */
  reserve(entries: number): void {
    assert(this.#size === 0, 'an index is sized while it is empty');
    let places = PLACES_INITIAL;
    while (places <= entries * 3) places *= 2;
    this.#table = createTable(places);
    this.#old = undefined;
  }

  /** The first place that may hold this hash. Places of the old table count from -2 down. */
  first(hash: number): number {
    const { places, mask } = this.#table;
    const place = probe(places, mask, hash & mask, hash);
    if (place !== NOWHERE || this.#old === undefined) return place;
    return this.#probeOld(this.#old, hash & this.#old.mask, hash);
  }

  /** The next place after `place` that may hold this hash. */
  next(place: number, hash: number): number {
    const old = this.#old;
    if (place < NOWHERE && old !== undefined) {
      return this.#probeOld(old, (-place - 1) & old.mask, hash);
    }
    const { places, mask } = this.#table;
    const found = probe(places, mask, (place + 1) & mask, hash);
    if (found !== NOWHERE || old === undefined) return found;
    return this.#probeOld(old, hash & old.mask, hash);
  }

  slotAt(place: number): number {
    if (place >= 0) return this.#table.places[place] & SLOT_MASK;
    assert(this.#old !== undefined, 'a place of the old table needs an old table');
    return this.#old.places[-place - 2] & SLOT_MASK;
  }

  insert(hash: number, slot: number): void {
    assert(this.#size < this.#capacity, 'an index stays within its capacity');
    if (this.#old !== undefined) this.#move(this.#old);
    // At most a third full: neighbors fill whole cache lines, and a probe should end in the first.
    else if (this.#size * 3 > this.#table.mask) this.#grow();
    put(this.#table, hash, slot);
    this.#size++;
  }

  remove(hash: number, slot: number): void {
    let place = this.first(hash);
    while (place !== NOWHERE && !this.#holds(place, hash, slot)) place = this.next(place, hash);
    assert(place !== NOWHERE, 'a removed entry is in the index');
    if (place >= 0) closeGap(this.#table, place);
    else if (this.#old !== undefined) this.#old.places[-place - 2] = REMOVED;
    this.#size--;
  }

  #holds(place: number, hash: number, slot: number): boolean {
    if (this.slotAt(place) !== slot) return false;
    return place >= 0 ? this.#table.hashes[place] === hash : this.#old?.hashes[-place - 2] === hash;
  }

  #grow(): void {
    this.#old = this.#table;
    this.#oldMoved = 0;
    this.#table = createTable((this.#old.mask + 1) * 2);
  }

  #move(old: Table): void {
    for (let moved = 0; moved < PLACES_MOVED; moved++) {
      const at = this.#oldMoved;
      const place = old.places[at];
      if (place !== NONE && place !== REMOVED) {
        put(this.#table, old.hashes[at], place & SLOT_MASK);
        // Probes of the old table must continue past this place, and must not find the entry twice.
        old.places[at] = REMOVED;
      }
      if (++this.#oldMoved > old.mask) {
        this.#old = undefined;
        return;
      }
    }
  }

  #probeOld(old: Table, start: number, hash: number): number {
    let place = probe(old.places, old.mask, start, hash);
    while (place !== NOWHERE && old.places[place] === REMOVED) {
      place = probe(old.places, old.mask, (place + 1) & old.mask, hash);
    }
    return place === NOWHERE ? NOWHERE : -place - 2;
  }
}

/** The next occupied place from `start` with the same five bits of the hash. */
function probe(places: Int32Array, mask: number, start: number, hash: number): number {
  const tag = hash >>> SLOT_BITS;
  let place = start;
  for (;;) {
    const here = places[place];
    if (here === NONE) return NOWHERE;
    if (here >>> SLOT_BITS === tag) return place;
    place = (place + 1) & mask;
  }
}

function put({ places, hashes, mask }: Table, hash: number, slot: number): void {
  let place = hash & mask;
  while (places[place] !== NONE) place = (place + 1) & mask;
  places[place] = ((hash >>> SLOT_BITS) << SLOT_BITS) | slot;
  hashes[place] = hash;
}

/** Moves later entries of the run back, so no probe stops at a hole before its target. */
function closeGap({ places, hashes, mask }: Table, hole: number): void {
  let gap = hole;
  let place = (gap + 1) & mask;
  while (places[place] !== NONE) {
    const home = hashes[place] & mask;
    // An entry can fill the gap only if its home is not after the gap.
    if (((place - home) & mask) >= ((place - gap) & mask)) {
      places[gap] = places[place];
      hashes[gap] = hashes[place];
      gap = place;
    }
    place = (place + 1) & mask;
  }
  places[gap] = NONE;
}
