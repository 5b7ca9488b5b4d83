// Read-only views of an exchange, balances and books, as plain data for tests, tools and audits.
// Not for the hot path.

import { READY } from '../matching/index.ts';
import type { Owner } from '../messages/index.ts';
import type { AssetId, Atoms, Lots, MarketId, OrderNumber, Ticks, UserId } from '../money/index.ts';
import { NONE } from '../structures/index.ts';
import type { Exchange } from './exchange.ts';

export interface AccountView {
  readonly owner: Owner;
  readonly asset: AssetId;
  readonly availableAtoms: Atoms;
  readonly heldAtoms: Atoms;
}

export interface OrderView {
  readonly order: OrderNumber;
  readonly user: UserId;
  readonly remainingLots: Lots;
}

export interface LevelView {
  readonly priceTicks: Ticks;
  readonly orders: readonly OrderView[];
}

export interface StopView extends OrderView {
  readonly side: 'buy' | 'sell';
  readonly stopTicks: Ticks;
  /** Triggered, not yet activated. */
  readonly ready: boolean;
}

export interface BookView {
  /** Best first; at each price in queue order. */
  readonly bids: readonly LevelView[];
  readonly asks: readonly LevelView[];
  /** Ready stops in queue order, then those waiting for a rise, then for a fall, nearest first. */
  readonly stops: readonly StopView[];
}

export function accountsOf({ ledger }: Exchange): readonly AccountView[] {
  const { accounts } = ledger;
  return Array.from({ length: accounts.size }, (_, index) => ({
    owner: accounts.owner(index + 1) as Owner,
    asset: accounts.asset(index + 1),
    availableAtoms: accounts.availableAtoms(index + 1),
    heldAtoms: accounts.heldAtoms(index + 1),
  }));
}

export interface OpenOrderView extends OrderView {
  readonly market: MarketId;
  readonly sizeLots: Lots;
}

/** The open orders of all users, unordered. */
export function* openOrdersOf({ books, details, users }: Exchange): Generator<OpenOrderView> {
  const { orders } = books;
  for (let slot = 1; slot <= users.size; slot++) {
    let order = users.firstOrder(slot);
    for (; order !== NONE; order = details.userBehind(order)) {
      yield {
        order: orders.number(order),
        user: users.id(slot),
        market: orders.market(order) as MarketId,
        sizeLots: orders.sizeLots(order),
        remainingLots: orders.remainingLots(order),
      };
    }
  }
}

export function bookOf(exchange: Exchange, market: MarketId): BookView {
  const { books } = exchange;
  const [bids, asks, rises, falls] = books.treesOf(market);
  const stops = [
    ...queueFrom(exchange, books.firstReady(market)),
    ...levelsOf(exchange, rises).flatMap((level) => queueOf(exchange, level)),
    ...levelsOf(exchange, falls).flatMap((level) => queueOf(exchange, level)),
  ];
  return {
    bids: levelsOf(exchange, bids).map((level) => levelView(exchange, level)),
    asks: levelsOf(exchange, asks).map((level) => levelView(exchange, level)),
    stops: stops.map((order) => stopView(exchange, order)),
  };
}

/** The last trade's price in a market, or 0. */
export function lastPriceTicks({ markets }: Exchange, market: MarketId): Ticks {
  return markets[market - 1]?.lastTicks ?? (0 as Ticks);
}

/**
 * The earliest time at which a frame without commands has an effect: a due switch, a ready stop, an
 * expiry, or the end of an auction. Infinity if only commands can change the state. Can be early,
 * never late.
 */
export function wakesAtMs({ books, expiries, markets, switches, timeMs }: Exchange): number {
  let atMs = switches.noneDueBeforeMs;
  for (const { auctionEndsMs, frozenBy, id, isUncrossing, status } of markets) {
    if (frozenBy !== 0) continue;
    if (isUncrossing || (status === 'full' && books.firstReady(id) !== NONE)) return timeMs;
    if (auctionEndsMs > 0 && auctionEndsMs < atMs) atMs = auctionEndsMs;
    atMs = Math.min(atMs, expiries.nextMs(id));
  }
  return atMs;
}

function levelsOf({ books }: Exchange, tree: number): number[] {
  const found: number[] = [];
  let level = books.levels.best(tree);
  for (; level !== NONE; level = books.levels.after(level)) found.push(level);
  return found;
}

function queueOf(exchange: Exchange, level: number): number[] {
  return queueFrom(exchange, exchange.books.levels.first(level));
}

function queueFrom({ books }: Exchange, first: number): number[] {
  const found: number[] = [];
  for (let order = first; order !== NONE; order = books.orders.behind(order)) found.push(order);
  return found;
}

function levelView(exchange: Exchange, level: number): LevelView {
  return {
    priceTicks: Math.abs(exchange.books.levels.rank(level)) as Ticks,
    orders: queueOf(exchange, level).map((order) => orderView(exchange, order)),
  };
}

function orderView({ books, users }: Exchange, order: number): OrderView {
  return {
    order: books.orders.number(order),
    user: users.id(books.orders.user(order)),
    remainingLots: books.orders.remainingLots(order),
  };
}

function stopView(exchange: Exchange, order: number): StopView {
  const { orders } = exchange.books;
  return {
    ...orderView(exchange, order),
    side: orders.sells(order) ? 'sell' : 'buy',
    stopTicks: orders.stopTicks(order),
    ready: orders.state(order) === READY,
  };
}
