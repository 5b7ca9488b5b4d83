// From a hash to the slots that carry it: open addressing with linear probing in one column.
// Keys stay in the caller's records; the caller walks `first`/`next` and compares them. Slots
// are numbered from 1, so that zeroed memory is an empty index.
//
// It grows by doubling, a little with each insert: while it grows, an older and smaller table
// still holds what has not moved yet. Nothing ever stops to rehash, and a small index stays
// small enough for the processor's caches. Measured: docs/decisions/0006-layout.md.

import { assert } from './assert.ts';

/** No slot, no node, no entry: the end of every chain. */
export const NONE = 0;
/** No place: the end of a walk. */
export const NOWHERE = -1;

// Each place is two integers: the slot, then its full hash.
const PLACE = 2;
const PLACES_AT_FIRST = 16;
/** Moved with each insert. The old table is empty long before the new one is half full. */
const PLACES_MOVED = 16;
/** What a removed slot leaves in the old table, where nothing is shifted any more. */
const GONE = -1;

export class HashIndex {
  readonly #capacity: number;
  #size = 0;
  #places = new Int32Array(PLACES_AT_FIRST * PLACE);
  #mask = PLACES_AT_FIRST - 1;
  /** The table being left; undefined when the index is not growing. */
  #old: Int32Array | undefined;
  #oldMask = 0;
  #oldMoved = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#size;
  }

  /** The first place that may hold this hash. Places of the old table count from -2 down. */
  first(hash: number): number {
    const place = probe(this.#places, this.#mask, hash & this.#mask, hash);
    if (place !== NOWHERE || this.#old === undefined) return place;
    return this.#firstOld(hash);
  }

  /** The next place after `place` that may hold this hash. */
  next(place: number, hash: number): number {
    if (place < NOWHERE) return this.#probeOld((-place - 1) & this.#oldMask, hash);
    const found = probe(this.#places, this.#mask, (place + 1) & this.#mask, hash);
    if (found !== NOWHERE || this.#old === undefined) return found;
    return this.#firstOld(hash);
  }

  slotAt(place: number): number {
    if (place >= 0) return this.#places[place * PLACE];
    assert(this.#old !== undefined, 'a place of the old table is asked for while there is one');
    return this.#old[(-place - 2) * PLACE];
  }

  insert(hash: number, slot: number): void {
    assert(this.#size < this.#capacity, 'an index never holds more than its capacity');
    if (this.#old !== undefined) this.#move();
    // At most half full, so that a probe ends soon.
    else if (this.#size * 2 > this.#mask) this.#grow();
    this.#put(hash, slot);
    this.#size++;
  }

  remove(hash: number, slot: number): void {
    let place = this.first(hash);
    while (place !== NOWHERE && this.slotAt(place) !== slot) place = this.next(place, hash);
    assert(place !== NOWHERE, 'only what is in an index is removed from it');
    if (place >= 0) this.#closeGap(place);
    else if (this.#old !== undefined) this.#old[(-place - 2) * PLACE] = GONE;
    this.#size--;
  }

  #put(hash: number, slot: number): void {
    const places = this.#places;
    const mask = this.#mask;
    let place = hash & mask;
    while (places[place * PLACE] !== NONE) place = (place + 1) & mask;
    places[place * PLACE] = slot;
    places[place * PLACE + 1] = hash;
  }

  #grow(): void {
    this.#old = this.#places;
    this.#oldMask = this.#mask;
    this.#oldMoved = 0;
    const places = (this.#mask + 1) * 2;
    this.#places = new Int32Array(places * PLACE);
    this.#mask = places - 1;
  }

  #move(): void {
    const old = this.#old as Int32Array;
    for (let moved = 0; moved < PLACES_MOVED; moved++) {
      const at = this.#oldMoved * PLACE;
      if (old[at] > NONE) {
        this.#put(old[at + 1], old[at]);
        // Probes of the old table must still pass here, and must not find it twice.
        old[at] = GONE;
      }
      if (++this.#oldMoved > this.#oldMask) {
        this.#old = undefined;
        return;
      }
    }
  }

  #firstOld(hash: number): number {
    return this.#probeOld(hash & this.#oldMask, hash);
  }

  #probeOld(start: number, hash: number): number {
    const old = this.#old as Int32Array;
    let place = start;
    while (old[place * PLACE] !== NONE) {
      if (old[place * PLACE + 1] === hash && old[place * PLACE] !== GONE) return -place - 2;
      place = (place + 1) & this.#oldMask;
    }
    return NOWHERE;
  }

  /** Moves later entries of the run back, so that no probe ever meets a hole before its goal. */
  #closeGap(hole: number): void {
    const places = this.#places;
    const mask = this.#mask;
    let gap = hole;
    let place = (gap + 1) & mask;
    while (places[place * PLACE] !== NONE) {
      const home = places[place * PLACE + 1] & mask;
      // The entry may fill the gap only if its home is not after the gap in the run.
      if (((place - home) & mask) >= ((place - gap) & mask)) {
        places[gap * PLACE] = places[place * PLACE];
        places[gap * PLACE + 1] = places[place * PLACE + 1];
        gap = place;
      }
      place = (place + 1) & mask;
    }
    places[gap * PLACE] = NONE;
  }
}

function probe(places: Int32Array, mask: number, start: number, hash: number): number {
  let place = start;
  while (places[place * PLACE] !== NONE) {
    if (places[place * PLACE + 1] === hash) return place;
    place = (place + 1) & mask;
  }
  return NOWHERE;
}
