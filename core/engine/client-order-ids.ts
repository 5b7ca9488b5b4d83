// The client order ids in use: all of open orders, and the latest of closed orders, so a
// late retry finds its order instead of placing another. An entry is open, then remembered, then
// forgotten: the oldest of its user beyond the user's share; and when all memory is used the oldest
// of all, or the oldest of the user with most of them if none is old.

import type { OrderNumber, TimeMs } from '../money/index.ts';
import {
  asciiOf,
  assert,
  grownMemory,
  HashIndex,
  type HashKey,
  hashKeyed,
  NONE,
  NOWHERE,
} from '../structures/index.ts';
import { LargestCount } from './largest-count.ts';

export const CLIENT_ORDER_ID_LENGTH_MAX = 36;
/** Since rules version 2 an id that was remembered for this long is old. */
export const CLIENT_ORDER_ID_OLD_SECONDS = 600;
/** The result of `find` for a text that no order can have. */
export const MALFORMED = -1;

// An entry is one cache line of 64 bytes: the order number, then integers; the last nine hold text.
// Remembered entries are in two queues, oldest first: one of all users, and one of their user.
const BYTES = 64;
const NUMBERS = 8;
const ORDER = 0;
const INTEGERS = 16;
const USER = 2;
const CLOSED_SECONDS = 3;
const BEHIND = 4;
const BEFORE = 5;
const USER_BEHIND = 6;
const TEXT = 7;
const TEXT_WORDS = 9;
// The queue of each user slot: its ends and its length.
const QUEUE = 4;
const FIRST = 0;
const LAST = 1;
const COUNT = 2;
const WORD_CHARACTERS = 4;
const FIRST_PRINTABLE = 0x21;
const LAST_PRINTABLE = 0x7e;

export interface ClientOrderIdsCapacity {
  readonly usersMax: number;
  readonly ordersMax: number;
  readonly clientOrderIdWindow: number;
  readonly clientOrderIdsPerUserMax: number;
}

export class ClientOrderIds {
  #window: number;
  readonly #hashKey: HashKey;
  #numbers: Float64Array;
  #integers: Int32Array;
  /** The same memory as bytes. Words are little-endian on every supported machine. */
  #bytes: Uint8Array;
  readonly #byText: HashIndex;
  #queues: Int32Array;
  /** Room to pack a text, four characters to a word. Only used within one call. */
  readonly #packed = new Int32Array(TEXT_WORDS);
  #perUserMax: number;
  #used = 0;
  #free = NONE;
  /** Since rules version 2 the user with the most ids loses one when all memory is used. */
  isFair = false;
  readonly #counts: LargestCount;
  #remembered = 0;
  #firstRemembered = NONE;
  #lastRemembered = NONE;

  constructor(limits: ClientOrderIdsCapacity, hashKey: HashKey) {
    const capacity = limits.ordersMax + limits.clientOrderIdWindow;
    this.#window = limits.clientOrderIdWindow;
    this.#perUserMax = limits.clientOrderIdsPerUserMax;
    this.#hashKey = hashKey;
    const memory = new ArrayBuffer((capacity + 1) * BYTES);
    this.#numbers = new Float64Array(memory);
    this.#integers = new Int32Array(memory);
    this.#bytes = new Uint8Array(memory);
    this.#byText = new HashIndex(capacity);
    this.#queues = new Int32Array((limits.usersMax + 1) * QUEUE);
    this.#counts = new LargestCount(limits.usersMax);
  }

  /** Raises capacities; every entry keeps its slot. */
  grow(limits: ClientOrderIdsCapacity): void {
    const capacity = limits.ordersMax + limits.clientOrderIdWindow;
    const used = (this.#used + 1) * BYTES;
    const memory = grownMemory(this.#bytes.buffer, (capacity + 1) * BYTES, used);
    this.#window = limits.clientOrderIdWindow;
    this.#numbers = new Float64Array(memory);
    this.#integers = new Int32Array(memory);
    this.#bytes = new Uint8Array(memory);
    this.#byText.grow(capacity);
    const queues = this.#queues;
    this.#queues = new Int32Array((limits.usersMax + 1) * QUEUE);
    this.#queues.set(queues);
    this.#counts.grow(limits.usersMax);
  }

  /** Changes the share of each user and forgets entries beyond it. */
  setPerUserMax(perUserMax: number): void {
    this.#perUserMax = perUserMax;
    for (let at = 0; at < this.#queues.length; at += QUEUE) {
      while (this.#queues[at + COUNT] > perUserMax) this.#forget(this.#queues[at + FIRST]);
    }
  }

  /**
   * The entry of a client order id of a user's slot, or NONE. MALFORMED if the text is longer than
   * CLIENT_ORDER_ID_LENGTH_MAX or not printable ASCII without spaces.
   */
  find(user: number, text: string): number {
    if (!this.#pack(text)) return MALFORMED;
    const hash = hashKeyed(this.#hashKey, user, this.#packed);
    let place = this.#byText.first(hash);
    while (place !== NOWHERE) {
      const entry = this.#byText.slotAt(place);
      if (this.user(entry) === user && this.#hasPacked(entry)) return entry;
      place = this.#byText.next(place, hash);
    }
    return NONE;
  }

  /** Adds a well-formed id that the user does not have yet. */
  add(user: number, text: string, order: OrderNumber): number {
    assert(this.#pack(text), 'an added client order id is well-formed');
    const hash = hashKeyed(this.#hashKey, user, this.#packed);
    const integers = this.#integers;
    let entry = this.#free;
    if (entry === NONE) entry = ++this.#used;
    else this.#free = integers[entry * INTEGERS + BEHIND];
    const at = entry * INTEGERS;
    for (let word = 0; word < TEXT_WORDS; word++) integers[at + TEXT + word] = this.#packed[word];
    integers[at + USER] = user;
    this.#numbers[entry * NUMBERS + ORDER] = order;
    this.#byText.insert(hash, entry);
    return entry;
  }

  /** Marks the entry's order as closed at this time, so the entry can be forgotten. */
  remember(entry: number, timeMs: TimeMs): void {
    const integers = this.#integers;
    const queues = this.#queues;
    const nowSeconds = Math.floor(timeMs / 1_000);
    // States of version 1 have no times in their snapshots.
    integers[entry * INTEGERS + CLOSED_SECONDS] = this.isFair ? nowSeconds : 0;
    const last = this.#lastRemembered;
    integers[entry * INTEGERS + BEFORE] = last;
    integers[entry * INTEGERS + BEHIND] = NONE;
    if (last === NONE) this.#firstRemembered = entry;
    else integers[last * INTEGERS + BEHIND] = entry;
    this.#lastRemembered = entry;
    this.#remembered++;
    const queue = integers[entry * INTEGERS + USER] * QUEUE;
    integers[entry * INTEGERS + USER_BEHIND] = NONE;
    if (queues[queue + COUNT] === 0) queues[queue + FIRST] = entry;
    else integers[queues[queue + LAST] * INTEGERS + USER_BEHIND] = entry;
    queues[queue + LAST] = entry;
    queues[queue + COUNT]++;
    this.#counts.set(this.user(entry), queues[queue + COUNT]);
    if (queues[queue + COUNT] > this.#perUserMax) this.#forget(queues[queue + FIRST]);
    else if (this.#remembered > this.#window) this.#forget(this.#mostDispensable(nowSeconds));
  }

  /** The slot of the entry's user. */
  user(entry: number): number {
    return this.#integers[entry * INTEGERS + USER];
  }

  /** The number of remembered entries of a user's slot. */
  rememberedOf(user: number): number {
    return this.#queues[user * QUEUE + COUNT];
  }

  /** When a remembered entry's order was closed; 0 if it was in version 1. */
  closedSeconds(entry: number): number {
    return this.#integers[entry * INTEGERS + CLOSED_SECONDS] >>> 0;
  }

  order(entry: number): OrderNumber {
    return this.#numbers[entry * NUMBERS + ORDER] as OrderNumber;
  }

  text(entry: number): string {
    const start = (entry * INTEGERS + TEXT) * 4;
    let end = start + CLIENT_ORDER_ID_LENGTH_MAX;
    // Characters are printable, so zeros only follow the text.
    while (end > start && this.#bytes[end - 1] === 0) end--;
    return asciiOf(this.#bytes.subarray(start, end));
  }

  /** For snapshots: the number of remembered entries, then each of them, oldest first. */
  get remembered(): number {
    return this.#remembered;
  }

  get firstRemembered(): number {
    return this.#firstRemembered;
  }

  nextRemembered(entry: number): number {
    return this.#integers[entry * INTEGERS + BEHIND];
  }

  /** Packs a text into `#packed`; false if it is malformed. No two texts pack alike. */
  #pack(text: string): boolean {
    const { length } = text;
    if (length > CLIENT_ORDER_ID_LENGTH_MAX) return false;
    const packed = this.#packed;
    let at = 0;
    for (let word = 0; word < TEXT_WORDS; word++) {
      const end = Math.min(at + WORD_CHARACTERS, length);
      let bits = 0;
      for (let shift = 0; at < end; at++, shift += 8) {
        const code = text.charCodeAt(at);
        if (code < FIRST_PRINTABLE || code > LAST_PRINTABLE) return false;
        bits |= code << shift;
      }
      packed[word] = bits;
    }
    return true;
  }

  #hasPacked(entry: number): boolean {
    const at = entry * INTEGERS + TEXT;
    for (let word = 0; word < TEXT_WORDS; word++) {
      if (this.#integers[at + word] !== this.#packed[word]) return false;
    }
    return true;
  }

  #mostDispensable(nowSeconds: number): number {
    const oldest = this.#firstRemembered;
    if (!this.isFair) return oldest;
    if (nowSeconds - this.closedSeconds(oldest) >= CLIENT_ORDER_ID_OLD_SECONDS) return oldest;
    return this.#queues[this.#counts.slot * QUEUE + FIRST];
  }

  #hashOf(entry: number): number {
    const at = entry * INTEGERS + TEXT;
    for (let word = 0; word < TEXT_WORDS; word++) this.#packed[word] = this.#integers[at + word];
    return hashKeyed(this.#hashKey, this.user(entry), this.#packed);
  }

  /** Removes the oldest entry of a user. The oldest of all is also the oldest of its user. */
  #forget(oldest: number): void {
    const integers = this.#integers;
    const queues = this.#queues;
    const at = oldest * INTEGERS;
    const queue = integers[at + USER] * QUEUE;
    assert(queues[queue + FIRST] === oldest, 'only the oldest entry of a user is forgotten');
    queues[queue + FIRST] = integers[at + USER_BEHIND];
    queues[queue + COUNT]--;
    this.#counts.set(integers[at + USER], queues[queue + COUNT]);
    const before = integers[at + BEFORE];
    const behind = integers[at + BEHIND];
    if (before === NONE) this.#firstRemembered = behind;
    else integers[before * INTEGERS + BEHIND] = behind;
    if (behind === NONE) this.#lastRemembered = before;
    else integers[behind * INTEGERS + BEFORE] = before;
    this.#remembered--;
    this.#byText.remove(this.#hashOf(oldest), oldest);
    integers[at + BEHIND] = this.#free;
    this.#free = oldest;
  }
}
