// Who has what: one 32-byte record for each (owner, asset), available and held side by side.
// Records are made and never removed. Only the ledger changes an amount.

import type { AssetId, Atoms } from '../money/index.ts';
import { assert, HashIndex, hashPair, NONE, NOWHERE } from '../structures/index.ts';

const AMOUNTS = 4;
const AVAILABLE = 0;
const HELD = 1;
const INTEGERS = 8;
const OWNER = 4;
const ASSET = 5;

// System owners are small negative numbers; what is hashed must not be negative.
const OWNER_OFFSET = 16;

export class Accounts {
  readonly #amounts: BigInt64Array;
  readonly #integers: Int32Array;
  readonly #byKey: HashIndex;
  #used = 0;

  constructor(capacity: number) {
    const bytes = new ArrayBuffer((capacity + 1) * AMOUNTS * 8);
    this.#amounts = new BigInt64Array(bytes);
    this.#integers = new Int32Array(bytes);
    this.#byKey = new HashIndex(capacity);
  }

  /** For restoring: room in the index for so many, before the first. */
  reserve(count: number): void {
    this.#byKey.reserve(count);
  }

  /** Accounts are slots 1 to size, in the order they were opened. */
  get size(): number {
    return this.#used;
  }

  /** The slot of an account, or NONE. */
  find(owner: number, asset: AssetId): number {
    const hash = hashPair(owner + OWNER_OFFSET, asset);
    let place = this.#byKey.first(hash);
    while (place !== NOWHERE) {
      const slot = this.#byKey.slotAt(place);
      if (this.owner(slot) === owner && this.asset(slot) === asset) return slot;
      place = this.#byKey.next(place, hash);
    }
    return NONE;
  }

  /** Opens an account that is not there yet. */
  open(owner: number, asset: AssetId): number {
    assert(this.find(owner, asset) === NONE, 'an account is opened once');
    const slot = ++this.#used;
    this.#integers[slot * INTEGERS + OWNER] = owner;
    this.#integers[slot * INTEGERS + ASSET] = asset;
    this.#byKey.insert(hashPair(owner + OWNER_OFFSET, asset), slot);
    return slot;
  }

  owner(slot: number): number {
    return this.#integers[slot * INTEGERS + OWNER];
  }

  asset(slot: number): AssetId {
    return this.#integers[slot * INTEGERS + ASSET] as AssetId;
  }

  /** Slot NONE has nothing: what a user without an account has available is 0. */
  availableAtoms(slot: number): Atoms {
    return this.#amounts[slot * AMOUNTS + AVAILABLE] as Atoms;
  }

  heldAtoms(slot: number): Atoms {
    return this.#amounts[slot * AMOUNTS + HELD] as Atoms;
  }

  setAvailableAtoms(slot: number, atoms: bigint): void {
    this.#amounts[slot * AMOUNTS + AVAILABLE] = atoms;
  }

  setHeldAtoms(slot: number, atoms: bigint): void {
    this.#amounts[slot * AMOUNTS + HELD] = atoms;
  }
}
