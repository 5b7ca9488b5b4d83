// The client order ids in use: those of open orders, and the latest of closed ones so that a
// late retry finds its order instead of placing another. An entry is open, then remembered
// (at the end of a queue), then forgotten (from the front, when the window is full).

import type { OrderNumber, UserId } from '../money/index.ts';
import { asciiOf, HashIndex, type HashKey, hashKeyed, NONE, NOWHERE } from '../structures/index.ts';

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
  /** The text taken: four characters to a word. No two pack alike, as none has a NUL. */
  readonly #packed = new Int32Array(TEXT_WORDS);
  #takenLength = 0;
  #soughtUser = 0;
  #soughtHash = 0;
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
   * Takes a text to be sought next, reading it once. False, and nothing to seek, when it is longer
   * than CLIENT_ORDER_ID_LENGTH_MAX or not printable ASCII: then no order can have it.
   */
  take(text: string): boolean {
    const { length } = text;
    if (length > CLIENT_ORDER_ID_LENGTH_MAX) return false;
    this.#takenLength = length;
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

  /** The entry of a user's text, the one taken last; or NONE. */
  seekTaken(user: UserId): number {
    const hash = hashKeyed(this.#hashKey, user, this.#packed);
    this.#soughtUser = user;
    this.#soughtHash = hash;
    let place = this.#byText.first(hash);
    while (place !== NOWHERE) {
      const entry = this.#byText.slotAt(place);
      if (this.user(entry) === user && this.#hasPacked(entry)) return entry;
      place = this.#byText.next(place, hash);
    }
    return NONE;
  }

  /** Adds the user and text sought last, which were not there. */
  addSought(order: OrderNumber): number {
    const integers = this.#integers;
    let entry = this.#free;
    if (entry === NONE) entry = ++this.#used;
    else this.#free = integers[entry * INTEGERS + BEHIND];
    const at = entry * INTEGERS;
    for (let word = 0; word < TEXT_WORDS; word++) integers[at + TEXT + word] = this.#packed[word];
    integers[at + LENGTH] = this.#takenLength;
    integers[at + USER] = this.#soughtUser;
    integers[at + HASH] = this.#soughtHash;
    this.#numbers[entry * NUMBERS + ORDER] = order;
    this.#byText.insert(this.#soughtHash, entry);
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
