// The latest command ids with their outcomes: a retry gets its first outcome and is not applied.
// Entries live in a ring that overwrites the oldest. Two hash tables index it, one filling, one
// full; when the first is full, the second is cleared and they swap. Nothing is removed one by
// one: a table may point to an overwritten entry, and the ring entry decides.

import type { CommandId } from '../messages/index.ts';
import type { CommandNumber } from '../money/index.ts';
import { hashPair, NONE } from '../structures/index.ts';

// An entry is four numbers: half a cache line.
const FIELDS = 4;
const SOURCE = 0;
const NUMBER = 1;
const COMMAND = 2;
const OUTCOME = 3;

// A place holds an entry and five bits of its hash: most mismatches are skipped unread.
const ENTRY_BITS = 27;
const ENTRY_MASK = (1 << ENTRY_BITS) - 1;

/** Places per id in a table, sparse enough that most searches end in the first cache line. */
const PLACES_PER_ENTRY = 4;

export class CommandWindow {
  readonly capacity: number;
  readonly #fields: Float64Array;
  readonly #mask: number;
  #filling: Int32Array;
  #full: Int32Array;
  #filled = 0;
  #size = 0;
  /** The entry written last; in a full ring, the next entry is the oldest. */
  #newest = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#fields = new Float64Array((capacity + 1) * FIELDS);
    let places = PLACES_PER_ENTRY;
    while (places < capacity * PLACES_PER_ENTRY) places *= 2;
    this.#mask = places - 1;
    this.#filling = new Int32Array(places);
    this.#full = new Int32Array(places);
  }

  /** A window of a larger capacity that remembers the same commands. */
  grown(capacity: number): CommandWindow {
    const grown = new CommandWindow(capacity);
    for (let age = 0; age < this.#size; age++) {
      const entry = this.fromOldest(age);
      const id = { source: this.source(entry), number: this.number(entry) };
      grown.remember(id, this.command(entry), this.outcome(entry));
    }
    return grown;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Every command after this number is remembered, none up to it. A wider window remembers nothing
   * again, so this follows the oldest entry and not the width.
   */
  get forgottenThrough(): number {
    return this.#size === 0 ? 0 : this.command(this.fromOldest(0)) - 1;
  }

  /** The entry of a command id, or NONE. */
  find({ source, number }: CommandId): number {
    const hash = hashPair(source, number);
    const found = this.#findIn(this.#filling, source, number, hash);
    return found === NONE ? this.#findIn(this.#full, source, number, hash) : found;
  }

  /** Adds an id that is not in the window. `outcome` is an index into REFUSALS. */
  remember({ source, number }: CommandId, command: CommandNumber, outcome: number): void {
    const entry = this.#newest === this.capacity ? 1 : this.#newest + 1;
    if (this.#size < this.capacity) this.#size++;
    this.#fields[entry * FIELDS + NUMBER] = number;
    this.#fields[entry * FIELDS + COMMAND] = command;
    this.#fields[entry * FIELDS + SOURCE] = source;
    this.#fields[entry * FIELDS + OUTCOME] = outcome;
    this.#newest = entry;
    if (this.#filled === this.capacity) this.#swapTables();
    const places = this.#filling;
    const hash = hashPair(source, number);
    let place = hash & this.#mask;
    while (places[place] !== NONE) place = (place + 1) & this.#mask;
    places[place] = ((hash >>> ENTRY_BITS) << ENTRY_BITS) | entry;
    this.#filled++;
  }

  source(entry: number): number {
    return this.#fields[entry * FIELDS + SOURCE];
  }

  number(entry: number): number {
    return this.#fields[entry * FIELDS + NUMBER];
  }

  command(entry: number): CommandNumber {
    return this.#fields[entry * FIELDS + COMMAND] as CommandNumber;
  }

  outcome(entry: number): number {
    return this.#fields[entry * FIELDS + OUTCOME];
  }

  /** For snapshots: the entry written `age` commands after the oldest. */
  fromOldest(age: number): number {
    const first = this.#size === this.capacity ? this.#newest : 0;
    return ((first + age) % this.capacity) + 1;
  }

  /** A place might point to an overwritten ring entry, so compare the entry. */
  #findIn(places: Int32Array, source: number, number: number, hash: number): number {
    const tag = hash >>> ENTRY_BITS;
    let place = hash & this.#mask;
    for (;;) {
      const here = places[place];
      if (here === NONE) return NONE;
      if (here >>> ENTRY_BITS === tag) {
        const entry = here & ENTRY_MASK;
        const isNumber = this.#fields[entry * FIELDS + NUMBER] === number;
        if (isNumber && this.source(entry) === source) return entry;
      }
      place = (place + 1) & this.#mask;
    }
  }

  #swapTables(): void {
    const emptied = this.#full.fill(NONE);
    this.#full = this.#filling;
    this.#filling = emptied;
    this.#filled = 0;
  }
}
