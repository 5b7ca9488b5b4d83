// The engine's part of an order, in the same slot as the book's record: fee rates fixed at
// placement, the two accounts it settles on, key, client order id, and links of the user's list.

import type { KeyId, Ppm } from '../money/index.ts';

const FIELDS = 8;
const MAKER_FEE = 0;
const TAKER_FEE = 1;
const BASE_ACCOUNT = 2;
const QUOTE_ACCOUNT = 3;
const KEY = 4;
const CLIENT_ID = 5;
const USER_BEFORE = 6;
const USER_BEHIND = 7;

export interface OrderDetail {
  makerFeePpm: Ppm;
  takerFeePpm: Ppm;
  baseAccount: number;
  quoteAccount: number;
  key: KeyId;
  /** Entry in ClientOrderIds, or NONE. */
  clientId: number;
}

export class OrderDetails {
  #fields: Int32Array;

  constructor(capacity: number) {
    this.#fields = new Int32Array((capacity + 1) * FIELDS);
  }

  /** Raises the capacity; details keep the slots of their orders. */
  grow(capacity: number): void {
    const fields = this.#fields;
    this.#fields = new Int32Array((capacity + 1) * FIELDS);
    this.#fields.set(fields);
  }

  set(order: number, detail: OrderDetail): void {
    const at = order * FIELDS;
    this.#fields[at + MAKER_FEE] = detail.makerFeePpm;
    this.#fields[at + TAKER_FEE] = detail.takerFeePpm;
    this.#fields[at + BASE_ACCOUNT] = detail.baseAccount;
    this.#fields[at + QUOTE_ACCOUNT] = detail.quoteAccount;
    this.#fields[at + KEY] = detail.key;
    this.#fields[at + CLIENT_ID] = detail.clientId;
  }

  makerFeePpm(order: number): Ppm {
    return this.#fields[order * FIELDS + MAKER_FEE] as Ppm;
  }

  takerFeePpm(order: number): Ppm {
    return this.#fields[order * FIELDS + TAKER_FEE] as Ppm;
  }

  baseAccount(order: number): number {
    return this.#fields[order * FIELDS + BASE_ACCOUNT];
  }

  quoteAccount(order: number): number {
    return this.#fields[order * FIELDS + QUOTE_ACCOUNT];
  }

  key(order: number): KeyId {
    return (this.#fields[order * FIELDS + KEY] >>> 0) as KeyId;
  }

  clientId(order: number): number {
    return this.#fields[order * FIELDS + CLIENT_ID];
  }

  userBefore(order: number): number {
    return this.#fields[order * FIELDS + USER_BEFORE];
  }

  setUserBefore(order: number, other: number): void {
    this.#fields[order * FIELDS + USER_BEFORE] = other;
  }

  userBehind(order: number): number {
    return this.#fields[order * FIELDS + USER_BEHIND];
  }

  setUserBehind(order: number, other: number): void {
    this.#fields[order * FIELDS + USER_BEHIND] = other;
  }
}
