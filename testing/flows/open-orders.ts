// A flow's own orders, derived from the events: open orders, unordered, with a fast random pick,
// and the numbers of some closed orders.

import type { Event, Side } from '../../core/messages/index.ts';
import type { Random } from './random.ts';

export interface SeenOrder {
  readonly order: number;
  readonly user: number;
  readonly market: number;
  readonly side: Side;
  readonly stopTicks: number;
  readonly clientOrderId: string;
  priceTicks: number;
  sizeLots: number;
  remainingLots: number;
  index: number;
}

const CLOSED_KEPT = 64;
const CLOSED_WITH_ID_KEPT = 4_096;

export class OpenOrders {
  readonly #list: SeenOrder[] = [];
  readonly #byNumber = new Map<number, SeenOrder>();
  readonly #closed: SeenOrder[] = [];
  #closedCount = 0;
  readonly #closedWithId: SeenOrder[] = [];
  #closedWithIdCount = 0;

  get count(): number {
    return this.#list.length;
  }

  see(event: Event): void {
    switch (event.kind) {
      case 'OrderPlaced':
        this.#add({ ...pickSeen(event), remainingLots: event.sizeLots, index: this.count });
        break;
      case 'TradeExecuted':
        this.#setRemaining(event.makerOrder, event.makerRemainingLots);
        this.#setRemaining(event.takerOrder, event.takerRemainingLots);
        break;
      case 'OrderAmended': {
        const order = this.#byNumber.get(event.order);
        if (order === undefined) break;
        order.priceTicks = event.priceTicks;
        order.sizeLots = event.sizeLots;
        order.remainingLots = event.remainingLots;
        break;
      }
      case 'OrderClosed':
        this.#remove(event.order);
        break;
    }
  }

  pick(random: Random): SeenOrder | undefined {
    return this.count === 0 ? undefined : this.#list[random.below(this.count)];
  }

  pickClosed(random: Random): SeenOrder | undefined {
    return this.#closed.length === 0 ? undefined : random.pick(this.#closed);
  }

  /** Returns a closed order with a client order ID, counted back from the latest, which is 1. */
  closedWithIdAgo(count: number): SeenOrder | undefined {
    const position = this.#closedWithIdCount - count;
    return position < 0 ? undefined : this.#closedWithId[position % CLOSED_WITH_ID_KEPT];
  }

  #add(order: SeenOrder): void {
    this.#list.push(order);
    this.#byNumber.set(order.order, order);
  }

  #setRemaining(number: number, remainingLots: number): void {
    const order = this.#byNumber.get(number);
    if (order !== undefined) order.remainingLots = remainingLots;
  }

  #remove(number: number): void {
    const order = this.#byNumber.get(number);
    if (order === undefined) return;
    this.#byNumber.delete(number);
    const last = this.#list[this.count - 1];
    this.#list[order.index] = last;
    last.index = order.index;
    this.#list.pop();
    this.#closed[this.#closedCount % CLOSED_KEPT] = order;
    this.#closedCount += 1;
    if (order.clientOrderId === '') return;
    this.#closedWithId[this.#closedWithIdCount % CLOSED_WITH_ID_KEPT] = order;
    this.#closedWithIdCount += 1;
  }
}

function pickSeen(event: Extract<Event, { kind: 'OrderPlaced' }>) {
  const { order, user, market, side, stopTicks, clientOrderId, priceTicks, sizeLots } = event;
  return { order, user, market, side, stopTicks, clientOrderId, priceTicks, sizeLots };
}
