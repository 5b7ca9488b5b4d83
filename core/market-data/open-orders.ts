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
import { type RestingChanges, type RestingOrder, RestingOrders } from './resting-orders.ts';

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
  /** Only while somebody follows them. */
  resting: RestingOrders | undefined;
}

/** Best first, or in no order when they are changes. */
export interface BookLevels {
  readonly bids: PriceLevel[];
  readonly asks: PriceLevel[];
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

  /** In the order in which they came: placed, triggered, or amended so that they come anew. */
  all(): IterableIterator<OpenOrder> {
    return this.#orders.values();
  }

  /** Best first. True to the engine after whole frames only. */
  topOf(market: MarketId, count: number): BookLevels {
    const { asks, bids } = this.#bookOf(market);
    return { bids: bids.top(count), asks: asks.top(count) };
  }

  /** From now on it is remembered which levels change. */
  followLevels(market: MarketId): void {
    const { asks, bids } = this.#bookOf(market);
    bids.follow();
    asks.follow();
  }

  unfollowLevels(market: MarketId): void {
    const { asks, bids } = this.#bookOf(market);
    bids.unfollow();
    asks.unfollow();
  }

  /** Since this was last called; a total of 0 is a price that is gone. */
  takeLevelChanges(market: MarketId): BookLevels {
    const { asks, bids } = this.#bookOf(market);
    return { bids: bids.takeChanges(), asks: asks.takeChanges() };
  }

  /** From now on it is remembered which orders of the book change. Looks at every open order. */
  followOrders(market: MarketId): void {
    const book = this.#bookOf(market);
    if (book.resting !== undefined) return;
    const resting = new RestingOrders();
    for (const order of this.#orders.values()) {
      if (order.market === market && isOfBook(order) && order.remainingLots > 0) {
        resting.opened(order);
      }
    }
    resting.takeChanges();
    book.resting = resting;
  }

  unfollowOrders(market: MarketId): void {
    this.#bookOf(market).resting = undefined;
  }

  takeOrderChanges(market: MarketId): RestingChanges {
    return this.#followed(market).takeChanges();
  }

  /** Of a followed market; of two at one price, the one that comes first trades first. */
  restingOrders(market: MarketId): IterableIterator<RestingOrder> {
    return this.#followed(market).all();
  }

  placed(event: OrderPlaced, timeMs: TimeMs): void {
    // Written out: an object that is put together of others takes ten times as long to make.
    this.restore({
      order: event.order,
      user: event.user,
      market: event.market,
      side: event.side,
      type: event.type,
      timeInForce: event.timeInForce,
      postOnly: event.postOnly,
      quick: event.quick,
      stopTicks: event.stopTicks,
      makerFeePpm: event.makerFeePpm,
      takerFeePpm: event.takerFeePpm,
      clientOrderId: event.clientOrderId,
      note: event.note,
      createdMs: timeMs,
      priceTicks: event.priceTicks,
      sizeLots: event.sizeLots,
      remainingLots: event.sizeLots,
      isWaiting: event.stopTicks > 0,
      feeAtoms: 0n,
      filledQuoteAtoms: 0n,
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
    this.#comeAnew(order);
    this.#join(order);
  }

  /** Both orders of the trade are still known afterwards, however little is left. */
  traded(event: TradeExecuted): void {
    if (event.takerOrder === 0) return;
    this.#fill(event.makerOrder, event, event.makerFeeAtoms);
    this.#fill(event.takerOrder, event, event.takerFeeAtoms);
  }

  amended(event: OrderAmended): void {
    const { keptPriority, priceTicks, remainingLots, sizeLots } = event;
    const order = this.#known(event.order);
    if (keptPriority) {
      this.#reduce(order, (order.remainingLots - remainingLots) as Lots);
      order.sizeLots = sizeLots;
      return;
    }
    this.#leave(order);
    order.priceTicks = priceTicks;
    order.sizeLots = sizeLots;
    order.remainingLots = remainingLots;
    this.#comeAnew(order);
    this.#join(order);
  }

  closed({ order: number, remainingLots }: OrderClosed): OpenOrder {
    const order = this.#known(number);
    assert(order.remainingLots === remainingLots, 'an order closes with what was left of it');
    this.#leave(order);
    this.#orders.delete(number);
    return order;
  }

  #fill(number: OrderNumber, { quoteAtoms, sizeLots }: TradeExecuted, feeAtoms: bigint): void {
    const order = this.#known(number);
    this.#reduce(order, sizeLots);
    order.filledQuoteAtoms += quoteAtoms;
    order.feeAtoms += feeAtoms;
  }

  #known(number: OrderNumber): OpenOrder {
    const order = this.#orders.get(number);
    assert(order !== undefined, 'events are about open orders');
    return order;
  }

  #followed(market: MarketId): RestingOrders {
    const { resting } = this.#bookOf(market);
    assert(resting !== undefined, 'single orders are known of followed markets');
    return resting;
  }

  /** Whoever comes behind all others of a price also stands behind them in the map. */
  #comeAnew(order: OpenOrder): void {
    this.#orders.delete(order.order);
    this.#orders.set(order.order, order);
  }

  #join(order: OpenOrder): void {
    if (order.remainingLots === 0 || !isOfBook(order)) return;
    const book = this.#bookOf(order.market);
    sideOf(book, order).add(order.priceTicks, order.remainingLots);
    book.resting?.opened(order);
  }

  #leave(order: OpenOrder): void {
    if (order.remainingLots === 0 || !isOfBook(order)) return;
    const book = this.#bookOf(order.market);
    sideOf(book, order).take(order.priceTicks, order.remainingLots);
    book.resting?.closed(order);
  }

  #reduce(order: OpenOrder, lots: Lots): void {
    order.remainingLots = (order.remainingLots - lots) as Lots;
    if (lots === 0 || !isOfBook(order)) return;
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

/** Others are not, or not yet, of the book. */
function isOfBook({ isWaiting, timeInForce, type }: OpenOrder): boolean {
  return type === 'limit' && timeInForce === 'GTC' && !isWaiting;
}

function sideOf({ asks, bids }: Book, { side }: OpenOrder): PriceLevels {
  return side === 'buy' ? bids : asks;
}
