// Accounts: one 32-byte record for each (owner, asset), with available and held side by side.
// Accounts are opened and never removed. Only the ledger changes amounts.

import type { AssetId, Atoms } from '../money/index.ts';
import { assert, grownMemory, HashIndex, hashPair, NONE, NOWHERE } from '../structures/index.ts';

const BYTES = 32;
const AMOUNTS = 4;
const AVAILABLE = 0;
const HELD = 1;
const INTEGERS = 8;
const OWNER = 4;
const ASSET = 5;

// System owners are small negative numbers, but hash input must not be negative.
const OWNER_OFFSET = 16;

export class Accounts {
  #amounts: BigInt64Array;
  #integers: Int32Array;
  readonly #byKey: HashIndex;
  #used = 0;

  constructor(capacity: number) {
    const memory = new ArrayBuffer((capacity + 1) * BYTES);
    this.#amounts = new BigInt64Array(memory);
    this.#integers = new Int32Array(memory);
    this.#byKey = new HashIndex(capacity);
  }

  /** Raises the capacity; every account keeps its slot. */
  grow(capacity: number): void {
    const used = (this.#used + 1) * BYTES;
    const memory = grownMemory(this.#amounts.buffer, (capacity + 1) * BYTES, used);
    this.#amounts = new BigInt64Array(memory);
    this.#integers = new Int32Array(memory);
    this.#byKey.grow(capacity);
  }

  /** For restoring: sizes the index for `count` accounts, before the first is opened. */
  reserve(count: number): void {
    this.#byKey.reserve(count);
  }

  /** Accounts have slots 1 to size, in order of opening. */
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

  /** Opens an account that does not exist yet. */
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

  /** 0 for slot NONE: a user without an account has nothing available. */
  availableAtoms(slot: number): Atoms {
    return this.#amounts[slot * AMOUNTS + AVAILABLE] as Atoms;
  }

  heldAtoms(slot: number): Atoms {
    return this.#amounts[slot * AMOUNTS + HELD] as Atoms;
  }

  /** The 32-bit words of available and held, 0 to 3, for hashes: without a BigInt. */
  amountWord(slot: number, word: number): number {
    return this.#integers[slot * INTEGERS + word];
  }

  setAvailableAtoms(slot: number, atoms: bigint): void {
    this.#amounts[slot * AMOUNTS + AVAILABLE] = atoms;
  }

  setHeldAtoms(slot: number, atoms: bigint): void {
    this.#amounts[slot * AMOUNTS + HELD] = atoms;
  }
}
