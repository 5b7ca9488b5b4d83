// The client order ids in use: all of open orders, and the latest of closed orders, so that a
// late retry finds its order instead of placing another. An entry is open, then remembered
// (appended to a queue), then forgotten (removed from the front when the window is full).

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
/** The result of `find` for a text that no order can have. */
export const MALFORMED = -1;

// An entry is one cache line of 64 bytes: the order number, then integers; the last nine hold text.
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

export interface ClientOrderIdsCapacity {
  readonly ordersMax: number;
  readonly clientOrderIdWindow: number;
}

export class ClientOrderIds {
  readonly #window: number;
  readonly #hashKey: HashKey;
  readonly #numbers: Float64Array;
  readonly #integers: Int32Array;
  /** The same memory as bytes. Words are little-endian on every supported machine. */
  readonly #bytes: Uint8Array;
  readonly #byText: HashIndex;
  /** Room to pack a text, four characters to a word. Only used within one call. */
  readonly #packed = new Int32Array(TEXT_WORDS);
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

  /**
   * The entry of a user's client order id, or NONE. MALFORMED if the text is longer than
   * CLIENT_ORDER_ID_LENGTH_MAX or not printable ASCII without spaces.
   */
  find(user: UserId, text: string): number {
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
  add(user: UserId, text: string, order: OrderNumber): number {
    assert(this.#pack(text), 'an added client order id is well-formed');
    const hash = hashKeyed(this.#hashKey, user, this.#packed);
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

  /** Marks the entry's order as closed, so that the entry may be forgotten. */
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

  #forget(): void {
    const integers = this.#integers;
    const oldest = this.#firstRemembered;
    this.#firstRemembered = integers[oldest * INTEGERS + BEHIND];
    this.#byText.remove(integers[oldest * INTEGERS + HASH], oldest);
    integers[oldest * INTEGERS + BEHIND] = this.#free;
    this.#free = oldest;
  }
}
