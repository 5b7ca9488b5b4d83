// From a hash to the slots that carry it: open addressing with linear probing in one column.
// Keys stay in the caller's records; the caller walks `first`/`next` and compares them. Slots
// are numbered from 1, so that zeroed memory is an empty index.

import { assert } from './assert.ts';

/** No slot, no node, no entry: the end of every chain. */
export const NONE = 0;

// Each place is two integers: the slot, then its full hash.
const PLACE = 2;

export class HashIndex {
  #places: Int32Array;
  #mask: number;
  #size = 0;
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
    // At most half full, so that a probe ends soon.
    let places = 4;
    while (places < capacity * 2) places *= 2;
    this.#places = new Int32Array(places * PLACE);
    this.#mask = places - 1;
  }

  get size(): number {
    return this.#size;
  }

  /** The first place that may hold this hash, or -1. */
  first(hash: number): number {
    return this.#probe(hash & this.#mask, hash);
  }

  /** The next place after `place` that may hold this hash, or -1. */
  next(place: number, hash: number): number {
    return this.#probe((place + 1) & this.#mask, hash);
  }

  slotAt(place: number): number {
    return this.#places[place * PLACE];
  }

  insert(hash: number, slot: number): void {
    assert(this.#size < this.#capacity, 'an index never holds more than its capacity');
    const places = this.#places;
    let place = hash & this.#mask;
    while (places[place * PLACE] !== NONE) place = (place + 1) & this.#mask;
    places[place * PLACE] = slot;
    places[place * PLACE + 1] = hash;
    this.#size++;
  }

  remove(hash: number, slot: number): void {
    let place = this.first(hash);
    while (place !== -1 && this.slotAt(place) !== slot) place = this.next(place, hash);
    assert(place !== -1, 'only what is in an index is removed from it');
    this.#closeGap(place);
    this.#size--;
  }

  #probe(start: number, hash: number): number {
    const places = this.#places;
    let place = start;
    while (places[place * PLACE] !== NONE) {
      if (places[place * PLACE + 1] === hash) return place;
      place = (place + 1) & this.#mask;
    }
    return -1;
  }

  /** Moves later entries of the run back, so that no probe ever meets a hole before its goal. */
  #closeGap(gap: number): void {
    const places = this.#places;
    const mask = this.#mask;
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
