// All open orders with their fills so far, from events alone. The book of a market is the sum of
// its resting orders: see docs/decisions/0011-live-feed.md.

import type { OrderAmended, OrderClosed, OrderPlaced, OrderTriggered } from '../messages/index.ts';
import type { Lots, MarketId, OrderNumber, TimeMs } from '../money/index.ts';
import { assert } from '../structures/index.ts';
import {
  applyAmendment,
  applyFill,
  type OpenOrder,
  type OrderEventTarget,
  openOrder,
  type TradeSide,
} from './order-fold.ts';
import { type PriceLevel, PriceLevels } from './price-levels.ts';
import { type RestingChanges, type RestingOrder, RestingOrders } from './resting-orders.ts';

interface Book {
  readonly bids: PriceLevels;
  readonly asks: PriceLevels;
  /** Only while single orders are tracked. */
  resting: RestingOrders | undefined;
}

/** Best first, or unordered if they are changes. */
export interface BookLevels {
  readonly bids: PriceLevel[];
  readonly asks: PriceLevel[];
}

export class OpenOrders implements OrderEventTarget<TimeMs> {
  readonly #orders = new Map<OrderNumber, OpenOrder>();
  readonly #books = new Map<MarketId, Book>();

  get count(): number {
    return this.#orders.size;
  }

  get(order: OrderNumber): OpenOrder | undefined {
    return this.#orders.get(order);
  }

  /** By arrival: placed, triggered, or amended with loss of priority. */
  all(): IterableIterator<OpenOrder> {
    return this.#orders.values();
  }

  /** Best first. Equals the engine's book after complete frames only. */
  topOf(market: MarketId, count: number): BookLevels {
    const { asks, bids } = this.#bookOf(market);
    return { bids: bids.top(count), asks: asks.top(count) };
  }

  /** The levels that accept the best price of the other side, best first. */
  crossingOf(market: MarketId): BookLevels {
    const { asks, bids } = this.#bookOf(market);
    const [[bid], [ask]] = [bids.top(1), asks.top(1)];
    if (bid === undefined || ask === undefined) return { bids: [], asks: [] };
    return { bids: bids.upTo(ask.priceTicks), asks: asks.upTo(bid.priceTicks) };
  }

  /** Starts recording changed levels. */
  trackLevels(market: MarketId): void {
    const { asks, bids } = this.#bookOf(market);
    bids.track();
    asks.track();
  }

  untrackLevels(market: MarketId): void {
    const { asks, bids } = this.#bookOf(market);
    bids.untrack();
    asks.untrack();
  }

  /** Since the last call; a total of 0 means that the price is gone. */
  takeLevelChanges(market: MarketId): BookLevels {
    const { asks, bids } = this.#bookOf(market);
    return { bids: bids.takeChanges(), asks: asks.takeChanges() };
  }

  /** Starts recording changed orders of the book. Scans every open order. */
  trackOrders(market: MarketId): void {
    const book = this.#bookOf(market);
    if (book.resting !== undefined) return;
    const resting = new RestingOrders();
    for (const order of this.#orders.values()) {
      if (order.market === market && isInBook(order) && order.remainingLots > 0) {
        resting.opened(order);
      }
    }
    resting.takeChanges();
    book.resting = resting;
  }

  untrackOrders(market: MarketId): void {
    this.#bookOf(market).resting = undefined;
  }

  takeOrderChanges(market: MarketId): RestingChanges {
    return this.#tracked(market).takeChanges();
  }

  /** Orders of a tracked market; at one price, earlier orders trade first. */
  restingOrders(market: MarketId): IterableIterator<RestingOrder> {
    return this.#tracked(market).all();
  }

  placed(event: OrderPlaced, timeMs: TimeMs): void {
    this.restore(openOrder(event, timeMs));
  }

  /** Adds an order from a saved state. */
  restore(order: OpenOrder): void {
    assert(!this.#orders.has(order.order), 'an order is placed once');
    this.#orders.set(order.order, order);
    this.#addToBook(order);
  }

  triggered({ order: number }: OrderTriggered): void {
    const order = this.#openOrder(number);
    order.isWaiting = false;
    this.#moveToBack(order);
    this.#addToBook(order);
  }

  /** The order stays here, even with nothing left, until it closes. */
  filled(fill: TradeSide): void {
    const order = this.#openOrder(fill.order);
    applyFill(order, fill);
    this.#reduceInBook(order, fill.sizeLots);
  }

  amended(event: OrderAmended): void {
    const order = this.#openOrder(event.order);
    if (event.keptPriority) {
      const lots = (order.remainingLots - event.remainingLots) as Lots;
      applyAmendment(order, event);
      this.#reduceInBook(order, lots);
      return;
    }
    this.#removeFromBook(order);
    applyAmendment(order, event);
    this.#moveToBack(order);
    this.#addToBook(order);
  }

  closed({ order: number, remainingLots }: OrderClosed): void {
    const order = this.#openOrder(number);
    assert(order.remainingLots === remainingLots, 'an order closes with what was left of it');
    this.#removeFromBook(order);
    this.#orders.delete(number);
  }

  #openOrder(number: OrderNumber): OpenOrder {
    const order = this.#orders.get(number);
    assert(order !== undefined, 'events are about open orders');
    return order;
  }

  #tracked(market: MarketId): RestingOrders {
    const { resting } = this.#bookOf(market);
    assert(resting !== undefined, 'single orders are known only for tracked markets');
    return resting;
  }

  /** An order that loses priority at its price also moves to the end of the map. */
  #moveToBack(order: OpenOrder): void {
    this.#orders.delete(order.order);
    this.#orders.set(order.order, order);
  }

  #addToBook(order: OpenOrder): void {
    if (order.remainingLots === 0 || !isInBook(order)) return;
    const book = this.#bookOf(order.market);
    sideOf(book, order).add(order.priceTicks, order.remainingLots);
    book.resting?.opened(order);
  }

  #removeFromBook(order: OpenOrder): void {
    if (order.remainingLots === 0 || !isInBook(order)) return;
    const book = this.#bookOf(order.market);
    sideOf(book, order).take(order.priceTicks, order.remainingLots);
    book.resting?.closed(order);
  }

  /** The order already has `lots` less. */
  #reduceInBook(order: OpenOrder, lots: Lots): void {
    if (lots === 0 || !isInBook(order)) return;
    const book = this.#bookOf(order.market);
    sideOf(book, order).take(order.priceTicks, lots);
    book.resting?.reduced(order);
  }

  #bookOf(market: MarketId): Book {
    let book = this.#books.get(market);
    if (book === undefined) {
      const [bids, asks] = [new PriceLevels('bids'), new PriceLevels('asks')];
      book = { bids, asks, resting: undefined };
      this.#books.set(market, book);
    }
    return book;
  }
}

/** Whether the order rests in the book; others never do, or not yet. */
function isInBook({ isWaiting, timeInForce, type }: OpenOrder): boolean {
  return type === 'limit' && timeInForce === 'GTC' && !isWaiting;
}

function sideOf({ asks, bids }: Book, { side }: OpenOrder): PriceLevels {
  return side === 'buy' ? bids : asks;
}
