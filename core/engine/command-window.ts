// The latest command ids with their outcomes, so that a retry is answered and not applied again.
// A ring: the oldest is forgotten when a new one needs its place.

import type { CommandId } from '../messages/index.ts';
import type { CommandNumber } from '../money/index.ts';
import { HashIndex, hashPair, NONE, NOWHERE } from '../structures/index.ts';

const FIELDS = 4;
const SOURCE = 0;
const NUMBER = 1;
const COMMAND = 2;
const OUTCOME = 3;

export class CommandWindow {
  readonly capacity: number;
  readonly #fields: Float64Array;
  readonly #byId: HashIndex;
  #size = 0;
  /** The slot written last; the oldest is the one after it once the ring is full. */
  #newest = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#fields = new Float64Array((capacity + 1) * FIELDS);
    this.#byId = new HashIndex(capacity);
  }

  get size(): number {
    return this.#size;
  }

  /** The entry of a command id, or NONE. */
  find(id: CommandId): number {
    const hash = hashPair(id.source, id.number);
    let place = this.#byId.first(hash);
    while (place !== NOWHERE) {
      const entry = this.#byId.slotAt(place);
      const at = entry * FIELDS;
      if (this.#fields[at + NUMBER] === id.number && this.#fields[at + SOURCE] === id.source) {
        return entry;
      }
      place = this.#byId.next(place, hash);
    }
    return NONE;
  }

  /** `outcome` is an index into REFUSALS. */
  remember(id: CommandId, command: CommandNumber, outcome: number): void {
    const entry = this.#newest === this.capacity ? 1 : this.#newest + 1;
    const at = entry * FIELDS;
    const fields = this.#fields;
    if (this.#size === this.capacity) {
      this.#byId.remove(hashPair(fields[at + SOURCE], fields[at + NUMBER]), entry);
    } else {
      this.#size++;
    }
    fields[at + SOURCE] = id.source;
    fields[at + NUMBER] = id.number;
    fields[at + COMMAND] = command;
    fields[at + OUTCOME] = outcome;
    this.#byId.insert(hashPair(id.source, id.number), entry);
    this.#newest = entry;
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

  /** For a snapshot: the entry remembered `age` commands after the oldest. */
  fromOldest(age: number): number {
    const first = this.#size === this.capacity ? this.#newest : 0;
    return ((first + age) % this.capacity) + 1;
  }
}
