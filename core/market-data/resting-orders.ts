// The single orders of a tracked book (level 3) by priority, and which of them changed since the
// last call. Kept only while the book is tracked.

import type { Side } from '../messages/index.ts';
import type { Lots, OrderNumber, Ticks } from '../money/index.ts';

/** The public part of an order, without its user. */
export interface RestingOrder {
  readonly order: OrderNumber;
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly remainingLots: Lots;
}

/**
 * To be applied in this order. Leads to the current book from any book since the last call: a
 * closed order may be unknown, and an opened order may exist and moves to the end of its price.
 */
export interface RestingChanges {
  readonly closed: readonly OrderNumber[];
  /** They keep their priority. */
  readonly changed: readonly RestingOrder[];
  /** Each goes to the end of its price. */
  readonly opened: readonly RestingOrder[];
}

export class RestingOrders {
  /** At one price, earlier orders trade first. */
  readonly #orders = new Map<OrderNumber, RestingOrder>();
  #touched = new Map<OrderNumber, 'opened' | 'changed'>();

  all(): IterableIterator<RestingOrder> {
    return this.#orders.values();
  }

  /** The order is in the book, at the end of its price. */
  opened(order: RestingOrder): void {
    this.#orders.delete(order.order);
    this.#orders.set(order.order, order);
    this.#touched.delete(order.order);
    this.#touched.set(order.order, 'opened');
  }

  /** The order is or was in the book and has less left; it keeps its priority. */
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
