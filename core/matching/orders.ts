// The orders of all books, one 64-byte record each: an access touches one cache line. Slots are
// reused, so other code must depend on the order number, never on a slot.

import type { SelfTradeMode, TimeInForce } from '../messages/index.ts';
import type { Lots, OrderNumber, Ticks } from '../money/index.ts';
import { assert, grownMemory, HashIndex, hashNumber, NONE, NOWHERE } from '../structures/index.ts';

// Five numbers of eight bytes, then six integers of four bytes.
const BYTES = 64;
const NUMBERS = 8;
const NUMBER = 0;
const PRICE = 1;
const REMAINING = 2;
const SIZE = 3;
const STOP = 4;
const INTEGERS = 16;
const BEFORE = 10;
const BEHIND = 11;
const LEVEL = 12;
const USER = 13;
const MARKET = 14;
const TERMS = 15;

// The packed terms of an order. Time in force, self-trade mode and state have two bits each.
const SELLS = 1;
const IS_MARKET = 2;
const POST_ONLY = 4;
const QUICK = 8;
const TIME_IN_FORCE_SHIFT = 4;
const SELF_TRADE_SHIFT = 6;
const STATE_SHIFT = 8;
const TWO_BITS = 3;
const TAKES_PROFIT = 1 << 10;
const LINKED = 1 << 11;
const EXPIRES = 1 << 12;
const ALL_TERMS = ((1 << STATE_SHIFT) - 1) | TAKES_PROFIT | LINKED | EXPIRES;

/** The state of an order: matching, in the book, a waiting stop, a triggered but inactive stop. */
export const INCOMING = 0;
export const RESTING = 1;
export const WAITING = 2;
export const READY = 3;

// The indexes of these words in their lists, as constants: every order needs them.
export const GOOD_TILL_CANCELED = 0;
export const IMMEDIATE_OR_CANCEL = 1;
export const FILL_OR_KILL = 2;
export const CANCEL_NEWEST = 0;
export const CANCEL_OLDEST = 1;
export const CANCEL_BOTH = 2;
export const SELF_TRADE_OFF = 3;

export function timeInForceCode(timeInForce: TimeInForce): number {
  if (timeInForce === 'GTC') return GOOD_TILL_CANCELED;
  return timeInForce === 'IOC' ? IMMEDIATE_OR_CANCEL : FILL_OR_KILL;
}

export function selfTradeCode(mode: SelfTradeMode): number {
  if (mode === 'cancel_newest') return CANCEL_NEWEST;
  if (mode === 'cancel_oldest') return CANCEL_OLDEST;
  return mode === 'cancel_both' ? CANCEL_BOTH : SELF_TRADE_OFF;
}

export interface OrderTerms {
  readonly sells: boolean;
  readonly isMarket: boolean;
  readonly postOnly: boolean;
  readonly quick: boolean;
  /** The stop price is on the other side of the market price than that of a stop. */
  readonly takesProfit: boolean;
  readonly expires: boolean;
  /** Index into TIMES_IN_FORCE. */
  readonly timeInForce: number;
  /** Index into SELF_TRADE_MODES. */
  readonly selfTrade: number;
}

export function packTerms(terms: OrderTerms): number {
  return (
    (terms.sells ? SELLS : 0) |
    (terms.isMarket ? IS_MARKET : 0) |
    (terms.postOnly ? POST_ONLY : 0) |
    (terms.quick ? QUICK : 0) |
    (terms.takesProfit ? TAKES_PROFIT : 0) |
    (terms.expires ? EXPIRES : 0) |
    (terms.timeInForce << TIME_IN_FORCE_SHIFT) |
    (terms.selfTrade << SELF_TRADE_SHIFT)
  );
}

/** True for a result of `terms`. */
export function areTerms(terms: number): boolean {
  return (terms & ~ALL_TERMS) === 0;
}

export class Orders {
  #numbers: Float64Array;
  #integers: Int32Array;
  readonly #byNumber: HashIndex;
  #used = 0;
  #free = NONE;

  constructor(capacity: number) {
    const memory = new ArrayBuffer((capacity + 1) * BYTES);
    this.#numbers = new Float64Array(memory);
    this.#integers = new Int32Array(memory);
    this.#byNumber = new HashIndex(capacity);
  }

  /** Raises the capacity; every order keeps its slot. */
  grow(capacity: number): void {
    const used = (this.#used + 1) * BYTES;
    const memory = grownMemory(this.#numbers.buffer, (capacity + 1) * BYTES, used);
    this.#numbers = new Float64Array(memory);
    this.#integers = new Int32Array(memory);
    this.#byNumber.grow(capacity);
  }

  /** For restoring: sizes the index for `count` orders, before the first is added. */
  reserve(count: number): void {
    this.#byNumber.reserve(count);
  }

  get size(): number {
    return this.#byNumber.size;
  }

  /** The slot of an order, or NONE. */
  find(number: OrderNumber): number {
    const hash = hashNumber(number);
    let place = this.#byNumber.first(hash);
    while (place !== NOWHERE) {
      const slot = this.#byNumber.slotAt(place);
      if (this.#numbers[slot * NUMBERS + NUMBER] === number) return slot;
      place = this.#byNumber.next(place, hash);
    }
    return NONE;
  }

  add(number: OrderNumber, market: number, user: number, terms: number): number {
    let slot = this.#free;
    if (slot === NONE) slot = ++this.#used;
    else this.#free = this.#integers[slot * INTEGERS + BEHIND];
    this.#numbers[slot * NUMBERS + NUMBER] = number;
    const integers = this.#integers;
    integers[slot * INTEGERS + BEFORE] = NONE;
    integers[slot * INTEGERS + BEHIND] = NONE;
    integers[slot * INTEGERS + LEVEL] = NONE;
    integers[slot * INTEGERS + MARKET] = market;
    integers[slot * INTEGERS + USER] = user;
    integers[slot * INTEGERS + TERMS] = terms;
    this.#byNumber.insert(hashNumber(number), slot);
    return slot;
  }

  remove(slot: number): void {
    assert(this.level(slot) === NONE, 'an order leaves its queue before it is removed');
    this.#byNumber.remove(hashNumber(this.number(slot)), slot);
    this.#integers[slot * INTEGERS + BEHIND] = this.#free;
    this.#free = slot;
  }

  number(slot: number): OrderNumber {
    return this.#numbers[slot * NUMBERS + NUMBER] as OrderNumber;
  }

  priceTicks(slot: number): Ticks {
    return this.#numbers[slot * NUMBERS + PRICE] as Ticks;
  }

  setPriceTicks(slot: number, priceTicks: Ticks): void {
    this.#numbers[slot * NUMBERS + PRICE] = priceTicks;
  }

  sizeLots(slot: number): Lots {
    return this.#numbers[slot * NUMBERS + SIZE] as Lots;
  }

  setSizeLots(slot: number, sizeLots: Lots): void {
    this.#numbers[slot * NUMBERS + SIZE] = sizeLots;
  }

  remainingLots(slot: number): Lots {
    return this.#numbers[slot * NUMBERS + REMAINING] as Lots;
  }

  setRemainingLots(slot: number, remainingLots: Lots): void {
    this.#numbers[slot * NUMBERS + REMAINING] = remainingLots;
  }

  stopTicks(slot: number): Ticks {
    return this.#numbers[slot * NUMBERS + STOP] as Ticks;
  }

  setStopTicks(slot: number, stopTicks: Ticks): void {
    this.#numbers[slot * NUMBERS + STOP] = stopTicks;
  }

  before(slot: number): number {
    return this.#integers[slot * INTEGERS + BEFORE];
  }

  setBefore(slot: number, other: number): void {
    this.#integers[slot * INTEGERS + BEFORE] = other;
  }

  behind(slot: number): number {
    return this.#integers[slot * INTEGERS + BEHIND];
  }

  setBehind(slot: number, other: number): void {
    this.#integers[slot * INTEGERS + BEHIND] = other;
  }

  level(slot: number): number {
    return this.#integers[slot * INTEGERS + LEVEL];
  }

  setLevel(slot: number, level: number): void {
    this.#integers[slot * INTEGERS + LEVEL] = level;
  }

  user(slot: number): number {
    return this.#integers[slot * INTEGERS + USER];
  }

  market(slot: number): number {
    return this.#integers[slot * INTEGERS + MARKET];
  }

  sells(slot: number): boolean {
    return (this.#integers[slot * INTEGERS + TERMS] & SELLS) !== 0;
  }

  isMarket(slot: number): boolean {
    return (this.#integers[slot * INTEGERS + TERMS] & IS_MARKET) !== 0;
  }

  isPostOnly(slot: number): boolean {
    return (this.#integers[slot * INTEGERS + TERMS] & POST_ONLY) !== 0;
  }

  isQuick(slot: number): boolean {
    return (this.#integers[slot * INTEGERS + TERMS] & QUICK) !== 0;
  }

  takesProfit(slot: number): boolean {
    return (this.#integers[slot * INTEGERS + TERMS] & TAKES_PROFIT) !== 0;
  }

  expires(slot: number): boolean {
    return (this.#integers[slot * INTEGERS + TERMS] & EXPIRES) !== 0;
  }

  isLinked(slot: number): boolean {
    return (this.#integers[slot * INTEGERS + TERMS] & LINKED) !== 0;
  }

  setLinked(slot: number, isLinked: boolean): void {
    const terms = this.#integers[slot * INTEGERS + TERMS] & ~LINKED;
    this.#integers[slot * INTEGERS + TERMS] = isLinked ? terms | LINKED : terms;
  }

  timeInForce(slot: number): number {
    return (this.#integers[slot * INTEGERS + TERMS] >> TIME_IN_FORCE_SHIFT) & TWO_BITS;
  }

  selfTrade(slot: number): number {
    return (this.#integers[slot * INTEGERS + TERMS] >> SELF_TRADE_SHIFT) & TWO_BITS;
  }

  state(slot: number): number {
    return (this.#integers[slot * INTEGERS + TERMS] >> STATE_SHIFT) & TWO_BITS;
  }

  setState(slot: number, state: number): void {
    const terms = this.#integers[slot * INTEGERS + TERMS] & ~(TWO_BITS << STATE_SHIFT);
    this.#integers[slot * INTEGERS + TERMS] = terms | (state << STATE_SHIFT);
  }

  /** The packed terms without the state: those of `packTerms`, and whether it is linked. */
  terms(slot: number): number {
    return this.#integers[slot * INTEGERS + TERMS] & ALL_TERMS;
  }
}
