// Call auctions: the status of a market, and the uncrossing that ends an auction in bounded steps.
// docs/trading-rules.md, section 13.

import type { MarketStatus } from '../messages/index.ts';
import { auctionPrice, type Ticks, type TimeMs } from '../money/index.ts';
import { NONE } from '../structures/index.ts';
import type { Exchange } from './exchange.ts';
import { isInsideBand, type Market } from './market.ts';
import { closeOrder } from './match-listener.ts';

/** Auctions last hours. A limit keeps a mistaken end time from being years away. */
const AUCTION_MAX_MS = 7 * 24 * 3_600_000;
const NO_END = 0 as TimeMs;

/** A new status ends an auction and its uncrossing. */
export function changeStatus(
  exchange: Exchange,
  market: Market,
  status: MarketStatus,
  auctionEndsMs: TimeMs = NO_END,
): void {
  market.status = status;
  market.auctionEndsMs = auctionEndsMs;
  market.isUncrossing = false;
  market.auctionTicks = 0 as Ticks;
  const { command } = exchange;
  exchange.events.push({
    kind: 'MarketStatusSet',
    command,
    market: market.id,
    status,
    auctionEndsMs,
  });
}

export function isAuctionEnd({ timeMs }: Exchange, endsMs: TimeMs): boolean {
  return endsMs > timeMs && endsMs <= timeMs + AUCTION_MAX_MS;
}

/** One step of a market whose auction has ended. It opens when its book is no longer crossed. */
export function uncross(exchange: Exchange, market: Market): void {
  if (market.frozenBy !== 0 || market.status !== 'auction') return;
  const { auctionEndsMs } = market;
  if (auctionEndsMs !== 0 && exchange.timeMs >= auctionEndsMs) market.isUncrossing = true;
  if (!market.isUncrossing) return;
  // The band has moved since the step before: the price is determined again, inside it.
  if (exchange.rulesVersion >= 3 && !isPriceInsideBand(market)) market.auctionTicks = 0 as Ticks;
  const { books, limits, matchListener } = exchange;
  let stepsLeft = limits.fillsPerCommandMax;
  let lowestTicks: number = Number.MAX_SAFE_INTEGER;
  let highestTicks = 0;
  for (;;) {
    if (market.auctionTicks === 0) {
      stepsLeft -= closeOutsideBand(exchange, market, stepsLeft);
      if (hasOutsideBand(exchange, market)) break;
      if (!setAuctionPrice(exchange, market)) {
        changeStatus(exchange, market, 'full');
        break;
      }
    }
    const { auctionTicks } = market;
    const result = books.uncross(market.id, auctionTicks, stepsLeft, matchListener);
    stepsLeft -= result.steps;
    if (result.fills > 0) {
      lowestTicks = Math.min(lowestTicks, auctionTicks);
      highestTicks = Math.max(highestTicks, auctionTicks);
    }
    if (!result.isDone) break;
    market.auctionTicks = 0 as Ticks;
  }
  if (highestTicks > 0) books.triggerStops(market.id, { lowestTicks, highestTicks });
}

/** A market without a price has none outside the band. */
function isPriceInsideBand(market: Market): boolean {
  const { auctionTicks } = market;
  if (auctionTicks === 0) return true;
  return [false, true].every((sells) => isInsideBand(market, sells, auctionTicks));
}

/** False if the book is not crossed. */
function setAuctionPrice(exchange: Exchange, market: Market): boolean {
  const { bids, asks } = exchange.books.crossingLevels(market.id);
  const price = auctionPrice(bids, asks, market.referenceTicks);
  if (price === undefined) return false;
  const { priceTicks } = price;
  market.auctionTicks = priceTicks;
  const { command } = exchange;
  exchange.events.push({ kind: 'AuctionPriceSet', command, market: market.id, priceTicks });
  return true;
}

/** Buys above the band, then sells below it. Returns the number of closed orders. */
function closeOutsideBand(exchange: Exchange, market: Market, closedMax: number): number {
  const { books } = exchange;
  let closed = 0;
  for (const sells of [false, true]) {
    for (let order = books.bestOrder(market.id, sells); ; ) {
      if (closed === closedMax || !isOutsideBand(exchange, market, order)) break;
      books.visits++;
      books.leave(order);
      closeOrder(exchange, order, 'price_outside_band');
      closed++;
      order = books.bestOrder(market.id, sells);
    }
  }
  return closed;
}

function hasOutsideBand(exchange: Exchange, market: Market): boolean {
  return [false, true].some((sells) =>
    isOutsideBand(exchange, market, exchange.books.bestOrder(market.id, sells)),
  );
}

function isOutsideBand({ books }: Exchange, market: Market, order: number): boolean {
  if (order === NONE) return false;
  return !isInsideBand(market, books.orders.sells(order), books.orders.priceTicks(order));
}
