// The client order ids in use: those of open orders, and the latest of closed ones so that a
// late retry finds its order instead of placing another. An entry is open, then remembered
// (at the end of a queue), then forgotten (from the front, when the window is full).

import type { OrderNumber, UserId } from '../money/index.ts';
import {
  asciiOf,
  assert,
  HashIndex,
  type HashKey,
  hashKeyed,
  NONE,
  NOWHERE,
} from '../structures/index.ts';

export const CLIENT_ORDER_ID_LENGTH_MAX = 36;

// An entry is one line of 64 bytes: the order's number, then integers, the last nine the text.
const NUMBERS = 8;
const ORDER = 0;
const INTEGERS = 16;
const USER = 2;
const HASH = 3;
const BEHIND = 4;
const LENGTH = 5;
const TEXT = 7;
const TEXT_WORDS = 9;
const WORD_CHARACTERS = 4;
const FIRST_PRINTABLE = 0x21;
const LAST_PRINTABLE = 0x7e;
/** No user has this number. */
const NO_USER = -1;

export interface ClientOrderIdsCapacity {
  readonly ordersMax: number;
  readonly clientOrderIdWindow: number;
}

export class ClientOrderIds {
  readonly #window: number;
  readonly #hashKey: HashKey;
  readonly #numbers: Float64Array;
  readonly #integers: Int32Array;
  /** The same memory by characters. Words are little-endian on every machine we run on. */
  readonly #bytes: Uint8Array;
  readonly #byText: HashIndex;
  /**
   * The last text, packed four characters to a word; no two texts pack alike, as none contains a
   * NUL. With the hash below it is a cache: an order's id is checked, looked up and added, and
   * packing it three times would cost a tenth of an order.
   */
  readonly #packed = new Int32Array(TEXT_WORDS);
  #packedText: string | undefined;
  #hashedUser = NO_USER;
  #hash = 0;
  #used = 0;
  #free = NONE;
  #remembered = 0;
  #firstRemembered = NONE;
  #lastRemembered = NONE;

  constructor({ ordersMax, clientOrderIdWindow }: ClientOrderIdsCapacity, hashKey: HashKey) {
    const capacity = ordersMax + clientOrderIdWindow;
    this.#window = clientOrderIdWindow;
    this.#hashKey = hashKey;
    const bytes = new ArrayBuffer((capacity + 1) * NUMBERS * 8);
    this.#numbers = new Float64Array(bytes);
    this.#integers = new Int32Array(bytes);
    this.#bytes = new Uint8Array(bytes);
    this.#byText = new HashIndex(capacity);
  }

  /** The entry of a user's client order id, or NONE. */
  find(user: UserId, text: string): number {
    if (!this.isValid(text)) return NONE;
    const hash = this.#hashFor(user);
    let place = this.#byText.first(hash);
    while (place !== NOWHERE) {
      const entry = this.#byText.slotAt(place);
      if (this.user(entry) === user && this.#hasPacked(entry)) return entry;
      place = this.#byText.next(place, hash);
    }
    return NONE;
  }

  /** At most CLIENT_ORDER_ID_LENGTH_MAX characters of printable ASCII, without spaces. */
  isValid(text: string): boolean {
    if (text === this.#packedText) return true;
    const { length } = text;
    if (length > CLIENT_ORDER_ID_LENGTH_MAX) return false;
    this.#packedText = undefined;
    this.#hashedUser = NO_USER;
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
    this.#packedText = text;
    return true;
  }

  #hashFor(user: UserId): number {
    if (user !== this.#hashedUser) {
      this.#hash = hashKeyed(this.#hashKey, user, this.#packed);
      this.#hashedUser = user;
    }
    return this.#hash;
  }

  /** Adds a valid id that the user does not have yet. */
  add(user: UserId, text: string, order: OrderNumber): number {
    assert(this.isValid(text), 'only a valid client order id is added');
    const hash = this.#hashFor(user);
    const integers = this.#integers;
    let entry = this.#free;
    if (entry === NONE) entry = ++this.#used;
    else this.#free = integers[entry * INTEGERS + BEHIND];
    const at = entry * INTEGERS;
    for (let word = 0; word < TEXT_WORDS; word++) integers[at + TEXT + word] = this.#packed[word];
    integers[at + LENGTH] = text.length;
    integers[at + USER] = user;
    integers[at + HASH] = hash;
    this.#numbers[entry * NUMBERS + ORDER] = order;
    this.#byText.insert(hash, entry);
    return entry;
  }

  /** The entry's order is closed: from now on it may be forgotten. */
  remember(entry: number): void {
    const integers = this.#integers;
    integers[entry * INTEGERS + BEHIND] = NONE;
    if (this.#lastRemembered === NONE) this.#firstRemembered = entry;
    else integers[this.#lastRemembered * INTEGERS + BEHIND] = entry;
    this.#lastRemembered = entry;
    if (this.#remembered === this.#window) this.#forget();
    else this.#remembered++;
  }

  user(entry: number): UserId {
    return this.#integers[entry * INTEGERS + USER] as UserId;
  }

  order(entry: number): OrderNumber {
    return this.#numbers[entry * NUMBERS + ORDER] as OrderNumber;
  }

  text(entry: number): string {
    const start = (entry * INTEGERS + TEXT) * 4;
    const length = this.#integers[entry * INTEGERS + LENGTH];
    return asciiOf(this.#bytes.subarray(start, start + length));
  }

  /** For a snapshot: how many closed ones are remembered, then each, oldest first. */
  get remembered(): number {
    return this.#remembered;
  }

  get firstRemembered(): number {
    return this.#firstRemembered;
  }

  nextRemembered(entry: number): number {
    return this.#integers[entry * INTEGERS + BEHIND];
  }

  #hasPacked(entry: number): boolean {
    const at = entry * INTEGERS + TEXT;
    for (let word = 0; word < TEXT_WORDS; word++) {
      if (this.#integers[at + word] !== this.#packed[word]) return false;
    }
    return true;
  }

  #forget(): void {
    const integers = this.#integers;
    const oldest = this.#firstRemembered;
    this.#firstRemembered = integers[oldest * INTEGERS + BEHIND];
    this.#byText.remove(integers[oldest * INTEGERS + HASH], oldest);
    integers[oldest * INTEGERS + BEHIND] = this.#free;
    this.#free = oldest;
  }
}
