// The single orders of a book that somebody follows at level 3, by age at their price, and which of
// them changed since that was last asked. Kept only while somebody follows.

import type { Side } from '../messages/index.ts';
import type { Lots, OrderNumber, Ticks } from '../money/index.ts';

/** As much of an order as everybody may know: not whose it is. */
export interface RestingOrder {
  readonly order: OrderNumber;
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly remainingLots: Lots;
}

/**
 * To be applied in this order. It leads to the book as it is now from any book since the last
 * changes were taken: an order may be closed that was never there, or opened that is there already
 * and goes to the end of its price.
 */
export interface RestingChanges {
  readonly closed: readonly OrderNumber[];
  /** They keep their place. */
  readonly changed: readonly RestingOrder[];
  /** Each behind all others of its price. */
  readonly opened: readonly RestingOrder[];
}

export class RestingOrders {
  /** Of two at one price, the one that comes first trades first. */
  readonly #orders = new Map<OrderNumber, RestingOrder>();
  #touched = new Map<OrderNumber, 'opened' | 'changed'>();

  all(): IterableIterator<RestingOrder> {
    return this.#orders.values();
  }

  /** It is in the book, behind all others of its price. */
  opened(order: RestingOrder): void {
    this.#orders.delete(order.order);
    this.#orders.set(order.order, order);
    this.#touched.delete(order.order);
    this.#touched.set(order.order, 'opened');
  }

  /** It is, or was, in the book, and less is left of it; it keeps its place. */
  reduced(order: RestingOrder): void {
    if (order.remainingLots === 0) this.#orders.delete(order.order);
    this.#touch(order.order);
  }

  closed({ order }: RestingOrder): void {
    this.#orders.delete(order);
    this.#touch(order);
  }

  takeChanges(): RestingChanges {
    const closed: OrderNumber[] = [];
    const changed: RestingOrder[] = [];
    const opened: RestingOrder[] = [];
    const touched = this.#touched;
    if (touched.size > 0) this.#touched = new Map();
    for (const [number, how] of touched) {
      const order = this.#orders.get(number);
      if (order === undefined) closed.push(number);
      else if (how === 'opened') opened.push(order);
      else changed.push(order);
    }
    return { closed, changed, opened };
  }

  #touch(number: OrderNumber): void {
    if (!this.#touched.has(number)) this.#touched.set(number, 'changed');
  }
}
