// The engine's record of each user: fee tier, discount, house flag, the list of open orders in
// order of placement, and the user's part of every shared capacity. Users are never removed.

import { type Ppm, USER_MAX, type UserId } from '../money/index.ts';
import { HashIndex, hashNumber, NONE, NOWHERE } from '../structures/index.ts';

const FIELDS = 8;
const ID = 0;
const TIER = 1;
const DISCOUNT = 2;
const HOUSE = 3;
const FIRST_ORDER = 4;
const LAST_ORDER = 5;
const ORDERS_OPEN = 6;
const STOPS_OPEN = 7;

const FIRST_TIER = 1;

/** True for a valid user id, even if the user does not exist yet. */
export function isUser(id: UserId): boolean {
  return id >= 1 && id <= USER_MAX;
}

export class Users {
  #fields: Int32Array;
  /** Apart from the record: orders between existing accounts do not touch them. */
  #accounts: Int32Array;
  #withdrawals: Int32Array;
  readonly #byId: HashIndex;
  #used = 0;

  constructor(capacity: number) {
    this.#fields = new Int32Array((capacity + 1) * FIELDS);
    this.#accounts = new Int32Array(capacity + 1);
    this.#withdrawals = new Int32Array(capacity + 1);
    this.#byId = new HashIndex(capacity);
  }

  /** Raises the capacity; every user keeps the slot. */
  grow(capacity: number): void {
    const [fields, accounts, withdrawals] = [this.#fields, this.#accounts, this.#withdrawals];
    this.#fields = new Int32Array((capacity + 1) * FIELDS);
    this.#accounts = new Int32Array(capacity + 1);
    this.#withdrawals = new Int32Array(capacity + 1);
    this.#fields.set(fields);
    this.#accounts.set(accounts);
    this.#withdrawals.set(withdrawals);
    this.#byId.grow(capacity);
  }

  /** For restoring: sizes the index for `count` users, before the first is added. */
  reserve(count: number): void {
    this.#byId.reserve(count);
  }

  /** Users have slots 1 to size, in order of creation. */
  get size(): number {
    return this.#used;
  }

  /** The slot of a user, or NONE. */
  find(id: UserId): number {
    const hash = hashNumber(id);
    let place = this.#byId.first(hash);
    while (place !== NOWHERE) {
      const slot = this.#byId.slotAt(place);
      if (this.#fields[slot * FIELDS + ID] === id) return slot;
      place = this.#byId.next(place, hash);
    }
    return NONE;
  }

  findOrAdd(id: UserId): number {
    const found = this.find(id);
    if (found !== NONE) return found;
    const slot = ++this.#used;
    this.#fields[slot * FIELDS + ID] = id;
    this.#fields[slot * FIELDS + TIER] = FIRST_TIER;
    this.#byId.insert(hashNumber(id), slot);
    return slot;
  }

  id(slot: number): UserId {
    return this.#fields[slot * FIELDS + ID] as UserId;
  }

  /** A user without a slot (NONE) is in the first tier. */
  tier(slot: number): number {
    return slot === NONE ? FIRST_TIER : this.#fields[slot * FIELDS + TIER];
  }

  discountPpm(slot: number): Ppm {
    return this.#fields[slot * FIELDS + DISCOUNT] as Ppm;
  }

  setFees(slot: number, tier: number, discountPpm: Ppm): void {
    this.#fields[slot * FIELDS + TIER] = tier;
    this.#fields[slot * FIELDS + DISCOUNT] = discountPpm;
  }

  isHouse(slot: number): boolean {
    return this.#fields[slot * FIELDS + HOUSE] === 1;
  }

  setHouse(slot: number, house: boolean): void {
    this.#fields[slot * FIELDS + HOUSE] = house ? 1 : 0;
  }

  firstOrder(slot: number): number {
    return this.#fields[slot * FIELDS + FIRST_ORDER];
  }

  setFirstOrder(slot: number, order: number): void {
    this.#fields[slot * FIELDS + FIRST_ORDER] = order;
  }

  lastOrder(slot: number): number {
    return this.#fields[slot * FIELDS + LAST_ORDER];
  }

  setLastOrder(slot: number, order: number): void {
    this.#fields[slot * FIELDS + LAST_ORDER] = order;
  }

  ordersOpen(slot: number): number {
    return this.#fields[slot * FIELDS + ORDERS_OPEN];
  }

  setOrdersOpen(slot: number, count: number): void {
    this.#fields[slot * FIELDS + ORDERS_OPEN] = count;
  }

  /** Open orders that were placed with a stop price, triggered or not. */
  stopsOpen(slot: number): number {
    return this.#fields[slot * FIELDS + STOPS_OPEN];
  }

  setStopsOpen(slot: number, count: number): void {
    this.#fields[slot * FIELDS + STOPS_OPEN] = count;
  }

  accountsOpen(slot: number): number {
    return this.#accounts[slot];
  }

  setAccountsOpen(slot: number, count: number): void {
    this.#accounts[slot] = count;
  }

  withdrawalsOpen(slot: number): number {
    return this.#withdrawals[slot];
  }

  setWithdrawalsOpen(slot: number, count: number): void {
    this.#withdrawals[slot] = count;
  }
}
