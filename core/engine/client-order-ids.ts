// The client order ids in use: those of open orders, and the latest of closed ones so that a
// late retry finds its order instead of placing another. An entry is open, then remembered
// (at the end of a queue), then forgotten (from the front, when the window is full).

import type { OrderNumber, UserId } from '../money/index.ts';
import { assert, HashIndex, hashText, NONE, NOWHERE } from '../structures/index.ts';

export const CLIENT_ORDER_ID_LENGTH_MAX = 36;

const NUMBERS = 2;
const USER = 0;
const ORDER = 1;

export class ClientOrderIds {
  readonly #window: number;
  readonly #texts: Uint8Array;
  readonly #lengths: Uint8Array;
  readonly #numbers: Float64Array;
  readonly #behind: Int32Array;
  readonly #byText: HashIndex;
  #used = 0;
  #free = NONE;
  #remembered = 0;
  #firstRemembered = NONE;
  #lastRemembered = NONE;

  constructor(ordersMax: number, window: number) {
    const capacity = ordersMax + window;
    this.#window = window;
    this.#texts = new Uint8Array((capacity + 1) * CLIENT_ORDER_ID_LENGTH_MAX);
    this.#lengths = new Uint8Array(capacity + 1);
    this.#numbers = new Float64Array((capacity + 1) * NUMBERS);
    this.#behind = new Int32Array(capacity + 1);
    this.#byText = new HashIndex(capacity);
  }

  /** The entry of a user's text, or NONE. */
  find(user: UserId, text: string): number {
    const hash = hashText(user, text);
    let place = this.#byText.first(hash);
    while (place !== NOWHERE) {
      const entry = this.#byText.slotAt(place);
      if (this.user(entry) === user && this.#hasText(entry, text)) return entry;
      place = this.#byText.next(place, hash);
    }
    return NONE;
  }

  add(user: UserId, text: string, order: OrderNumber): number {
    assert(text.length <= CLIENT_ORDER_ID_LENGTH_MAX, 'a client order id was checked to fit');
    let entry = this.#free;
    if (entry === NONE) entry = ++this.#used;
    else this.#free = this.#behind[entry];
    const start = entry * CLIENT_ORDER_ID_LENGTH_MAX;
    for (let at = 0; at < text.length; at++) this.#texts[start + at] = text.charCodeAt(at);
    this.#lengths[entry] = text.length;
    this.#numbers[entry * NUMBERS + USER] = user;
    this.#numbers[entry * NUMBERS + ORDER] = order;
    this.#byText.insert(hashText(user, text), entry);
    return entry;
  }

  /** The entry's order is closed: from now on it may be forgotten. */
  remember(entry: number): void {
    this.#behind[entry] = NONE;
    if (this.#lastRemembered === NONE) this.#firstRemembered = entry;
    else this.#behind[this.#lastRemembered] = entry;
    this.#lastRemembered = entry;
    if (this.#remembered === this.#window) this.#forget();
    else this.#remembered++;
  }

  user(entry: number): UserId {
    return this.#numbers[entry * NUMBERS + USER] as UserId;
  }

  order(entry: number): OrderNumber {
    return this.#numbers[entry * NUMBERS + ORDER] as OrderNumber;
  }

  text(entry: number): string {
    const start = entry * CLIENT_ORDER_ID_LENGTH_MAX;
    let text = '';
    for (let at = 0; at < this.#lengths[entry]; at++) {
      text += String.fromCharCode(this.#texts[start + at]);
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
    return this.#behind[entry];
  }

  #hasText(entry: number, text: string): boolean {
    if (this.#lengths[entry] !== text.length) return false;
    const start = entry * CLIENT_ORDER_ID_LENGTH_MAX;
    for (let at = 0; at < text.length; at++) {
      if (this.#texts[start + at] !== text.charCodeAt(at)) return false;
    }
    return true;
  }

  #forget(): void {
    const oldest = this.#firstRemembered;
    this.#firstRemembered = this.#behind[oldest];
    this.#byText.remove(hashText(this.user(oldest), this.text(oldest)), oldest);
    this.#behind[oldest] = this.#free;
    this.#free = oldest;
  }
}
