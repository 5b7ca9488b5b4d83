// Every order that is open, with what is left of it and what it has cost so far, from events alone.
// The book of a market is the sum of those that count in it: see docs/decisions/0011-live-feed.md.

import type {
  OrderAmended,
  OrderClosed,
  OrderPlaced,
  OrderTriggered,
  OrderType,
  Side,
  TimeInForce,
  TradeExecuted,
} from '../messages/index.ts';
import type { Lots, MarketId, OrderNumber, Ppm, Ticks, TimeMs, UserId } from '../money/index.ts';
import { assert } from '../structures/index.ts';
import { type PriceLevel, PriceLevels } from './price-levels.ts';

export interface OpenOrder {
  readonly order: OrderNumber;
  readonly user: UserId;
  readonly market: MarketId;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly quick: boolean;
  readonly stopTicks: Ticks;
  readonly makerFeePpm: Ppm;
  readonly takerFeePpm: Ppm;
  readonly clientOrderId: string;
  readonly note: string;
  readonly createdMs: TimeMs;
  priceTicks: Ticks;
  sizeLots: Lots;
  remainingLots: Lots;
  /** A stop that has not been triggered. */
  isWaiting: boolean;
  /** In the asset that the order receives. */
  feeAtoms: bigint;
  /** What its fills so far were worth. */
  filledQuoteAtoms: bigint;
}

interface Book {
  readonly bids: PriceLevels;
  readonly asks: PriceLevels;
}

export class OpenOrders {
  readonly #orders = new Map<OrderNumber, OpenOrder>();
  readonly #books = new Map<MarketId, Book>();

  get count(): number {
    return this.#orders.size;
  }

  get(order: OrderNumber): OpenOrder | undefined {
    return this.#orders.get(order);
  }

  /** In the order in which they were placed. */
  all(): IterableIterator<OpenOrder> {
    return this.#orders.values();
  }

  /** Best first. True to the engine after whole frames only. */
  topOf(market: MarketId, count: number): { bids: PriceLevel[]; asks: PriceLevel[] } {
    const { asks, bids } = this.#bookOf(market);
    return { bids: bids.top(count), asks: asks.top(count) };
  }

  placed(event: OrderPlaced, timeMs: TimeMs): void {
    this.restore({
      ...{ order: event.order, user: event.user, market: event.market, side: event.side },
      ...{ type: event.type, timeInForce: event.timeInForce, postOnly: event.postOnly },
      ...{ quick: event.quick, stopTicks: event.stopTicks, makerFeePpm: event.makerFeePpm },
      ...{ takerFeePpm: event.takerFeePpm, clientOrderId: event.clientOrderId, note: event.note },
      ...{ createdMs: timeMs, priceTicks: event.priceTicks, sizeLots: event.sizeLots },
      ...{ remainingLots: event.sizeLots, isWaiting: event.stopTicks > 0 },
      ...{ feeAtoms: 0n, filledQuoteAtoms: 0n },
    });
  }

  /** An order as it was when it was written down. */
  restore(order: OpenOrder): void {
    assert(!this.#orders.has(order.order), 'an order is placed once');
    this.#orders.set(order.order, order);
    this.#join(order);
  }

  triggered({ order: number }: OrderTriggered): void {
    const order = this.#known(number);
    order.isWaiting = false;
    this.#join(order);
  }

  /** Both orders of the trade are still known afterwards, however little is left. */
  traded(event: TradeExecuted): void {
    if (event.takerOrder === 0) return;
    this.#fill(event.makerOrder, event, event.makerFeeAtoms);
    this.#fill(event.takerOrder, event, event.takerFeeAtoms);
  }

  amended({ order: number, priceTicks, remainingLots, sizeLots }: OrderAmended): void {
    const order = this.#known(number);
    this.#leave(order, order.remainingLots);
    order.priceTicks = priceTicks;
    order.sizeLots = sizeLots;
    order.remainingLots = remainingLots;
    this.#join(order);
  }

  closed({ order: number, remainingLots }: OrderClosed): OpenOrder {
    const order = this.#known(number);
    assert(order.remainingLots === remainingLots, 'an order closes with what was left of it');
    this.#leave(order, remainingLots);
    this.#orders.delete(number);
    return order;
  }

  #fill(number: OrderNumber, { quoteAtoms, sizeLots }: TradeExecuted, feeAtoms: bigint): void {
    const order = this.#known(number);
    this.#leave(order, sizeLots);
    order.remainingLots = (order.remainingLots - sizeLots) as Lots;
    order.filledQuoteAtoms += quoteAtoms;
    order.feeAtoms += feeAtoms;
  }

  #known(number: OrderNumber): OpenOrder {
    const order = this.#orders.get(number);
    assert(order !== undefined, 'events are about open orders');
    return order;
  }

  #join(order: OpenOrder): void {
    if (order.remainingLots > 0) this.#levelsOf(order)?.add(order.priceTicks, order.remainingLots);
  }

  #leave(order: OpenOrder, lots: Lots): void {
    if (lots > 0) this.#levelsOf(order)?.take(order.priceTicks, lots);
  }

  /** Undefined for an order that is not, or not yet, one of the book. */
  #levelsOf(order: OpenOrder): PriceLevels | undefined {
    if (order.type !== 'limit' || order.timeInForce !== 'GTC' || order.isWaiting) return undefined;
    const book = this.#bookOf(order.market);
    return order.side === 'buy' ? book.bids : book.asks;
  }

  #bookOf(market: MarketId): Book {
    let book = this.#books.get(market);
    if (book === undefined) {
      book = { bids: new PriceLevels('bids'), asks: new PriceLevels('asks') };
      this.#books.set(market, book);
    }
    return book;
  }
}
