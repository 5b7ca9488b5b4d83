// The client order ids in use: those of open orders, and the latest of closed ones so that a
// late retry finds its order instead of placing another. An entry is open, then remembered
// (at the end of a queue), then forgotten (from the front, when the window is full).

import type { OrderNumber, UserId } from '../money/index.ts';
import { assert, HashIndex, hashWords, NONE, NOWHERE } from '../structures/index.ts';

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

export class ClientOrderIds {
  readonly #window: number;
  readonly #numbers: Float64Array;
  readonly #integers: Int32Array;
  readonly #byText: HashIndex;
  /** The text being looked for or added, packed four characters to a word. */
  readonly #packed = new Int32Array(TEXT_WORDS);
  #soughtUser = 0;
  #soughtHash = 0;
  #soughtLength = 0;
  #used = 0;
  #free = NONE;
  #remembered = 0;
  #firstRemembered = NONE;
  #lastRemembered = NONE;

  constructor(ordersMax: number, window: number) {
    const capacity = ordersMax + window;
    this.#window = window;
    const bytes = new ArrayBuffer((capacity + 1) * NUMBERS * 8);
    this.#numbers = new Float64Array(bytes);
    this.#integers = new Int32Array(bytes);
    this.#byText = new HashIndex(capacity);
  }

  /**
   * The entry of a user's text, or NONE. The text, at most CLIENT_ORDER_ID_LENGTH_MAX printable
   * characters, stays packed for `addSought`: it is read once.
   */
  seek(user: UserId, text: string): number {
    this.#pack(text);
    const hash = hashWords(user, this.#packed);
    this.#soughtUser = user;
    this.#soughtHash = hash;
    this.#soughtLength = text.length;
    let place = this.#byText.first(hash);
    while (place !== NOWHERE) {
      const entry = this.#byText.slotAt(place);
      if (this.user(entry) === user && this.#hasPacked(entry)) return entry;
      place = this.#byText.next(place, hash);
    }
    return NONE;
  }

  /** Adds the text sought last, which was not there. */
  addSought(order: OrderNumber): number {
    const integers = this.#integers;
    let entry = this.#free;
    if (entry === NONE) entry = ++this.#used;
    else this.#free = integers[entry * INTEGERS + BEHIND];
    const at = entry * INTEGERS;
    for (let word = 0; word < TEXT_WORDS; word++) integers[at + TEXT + word] = this.#packed[word];
    integers[at + LENGTH] = this.#soughtLength;
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
    const at = entry * INTEGERS;
    let text = '';
    for (let index = 0; index < this.#integers[at + LENGTH]; index++) {
      const word = this.#integers[at + TEXT + ((index / WORD_CHARACTERS) | 0)];
      text += String.fromCharCode((word >>> ((index % WORD_CHARACTERS) * 8)) & 0xff);
    }
    return text;
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

  /** No two texts pack alike: the characters are ASCII and never NUL. */
  #pack(text: string): void {
    assert(text.length <= CLIENT_ORDER_ID_LENGTH_MAX, 'a client order id was checked to fit');
    const packed = this.#packed;
    const { length } = text;
    let word = 0;
    for (let at = 0; at < TEXT_WORDS; at++) {
      const start = at * WORD_CHARACTERS;
      const end = Math.min(start + WORD_CHARACTERS, length);
      word = 0;
      for (let index = start; index < end; index++) {
        word |= text.charCodeAt(index) << ((index - start) * 8);
      }
      packed[at] = word;
    }
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
