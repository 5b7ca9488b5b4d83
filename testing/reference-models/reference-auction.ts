// Call auctions: the end of the collecting phase, the single price, and the uncrossing in bounded
// steps. Section 13 of the rules.

import type { MarketStatus, Refusal, SetMarketStatus } from '../../core/messages/index.ts';
import { triggerStops } from './reference-book.ts';
import { closeOrder } from './reference-closing.ts';
import { meetingOf, trade } from './reference-matching.ts';
import { isInsideBand } from './reference-prices.ts';
import {
  emit,
  type ReferenceLevel,
  type ReferenceMarket,
  type ReferenceOrder,
  type ReferenceState,
} from './reference-state.ts';

const SEVEN_DAYS_MS = 604_800_000;

export function checkAuctionEnd(
  state: ReferenceState,
  { auctionEndsMs, status }: SetMarketStatus,
): Refusal | undefined {
  if (state.rulesVersion < 2 || auctionEndsMs === 0) return undefined;
  const aheadMs = auctionEndsMs - state.timeMs;
  const isInRange = status === 'auction' && aheadMs > 0 && aheadMs <= SEVEN_DAYS_MS;
  return isInRange ? undefined : 'auction_end_out_of_range';
}

/** Sets a new status, which ends an auction and its uncrossing. */
export function changeStatus(
  state: ReferenceState,
  market: ReferenceMarket,
  { auctionEndsMs, status }: { status: MarketStatus; auctionEndsMs: number },
): void {
  market.status = status;
  market.auctionEndsMs = auctionEndsMs;
  market.isUncrossing = false;
  market.auctionTicks = 0;
  emit(state, { kind: 'MarketStatusSet', market: market.id, status, auctionEndsMs });
}

export function isCrossed({ asks, bids }: ReferenceMarket): boolean {
  return bids.length > 0 && asks.length > 0 && bids[0].priceTicks >= asks[0].priceTicks;
}

/** Runs one step of a market whose auction has ended: trades and closed orders up to the bound. */
export function runAuctionStep(state: ReferenceState, market: ReferenceMarket): void {
  if (market.frozenBy !== 0 || market.status !== 'auction') return;
  const { auctionEndsMs } = market;
  if (auctionEndsMs !== 0 && state.timeMs >= auctionEndsMs) market.isUncrossing = true;
  if (!market.isUncrossing) return;
  const sides = ['buy', 'sell'] as const;
  const isInside = sides.every((side) => isInsideBand(market, side, market.auctionTicks));
  if (state.rulesVersion >= 3 && !isInside) market.auctionTicks = 0;
  const tradedTicks: number[] = [];
  for (let done = 0; uncrossingGoesOn(state, market); done += 1) {
    if (done === state.limits.fillsPerCommandMax) break;
    const traded = uncrossOne(state, market);
    if (traded !== undefined) tradedTicks.push(traded);
  }
  if (tradedTicks.length === 0) return;
  const [lowestTicks, highestTicks] = [Math.min(...tradedTicks), Math.max(...tradedTicks)];
  triggerStops(market, { lowestTicks, highestTicks });
}

/**
 * Sets the next price if there is none. Returns false if the book is uncrossed: the market opens.
 */
function uncrossingGoesOn(state: ReferenceState, market: ReferenceMarket): boolean {
  if (market.auctionTicks > 0 && pairAt(market, market.auctionTicks) !== undefined) return true;
  market.auctionTicks = 0;
  if (orderOutsideBand(market) !== undefined) return true;
  if (!isCrossed(market)) {
    changeStatus(state, market, { status: 'full', auctionEndsMs: 0 });
    return false;
  }
  const priceTicks = auctionPrice(market);
  market.auctionTicks = priceTicks;
  emit(state, { kind: 'AuctionPriceSet', market: market.id, priceTicks });
  return true;
}

/** Closes an order outside the band, or matches two orders. Returns the price of a trade. */
function uncrossOne(state: ReferenceState, market: ReferenceMarket): number | undefined {
  const priceTicks = market.auctionTicks;
  const pair = priceTicks > 0 ? pairAt(market, priceTicks) : undefined;
  if (pair === undefined) {
    const outside = orderOutsideBand(market);
    if (outside !== undefined) closeOrder(state, outside, 'price_outside_band');
    return undefined;
  }
  const [older, newer] = pair[0].number < pair[1].number ? pair : [pair[1], pair[0]];
  const meeting = meetingOf(state, newer, older);
  if (meeting !== 'trade') {
    if (meeting !== 'cancel_newest') closeOrder(state, older, 'self_trade_prevented');
    if (meeting !== 'cancel_oldest') closeOrder(state, newer, 'self_trade_prevented');
    return undefined;
  }
  trade(state, market, newer, older, { priceTicks, takerFeePpm: newer.makerFeePpm });
  if (newer.remainingLots === 0) closeOrder(state, newer, 'filled');
  return priceTicks;
}

/** Returns the best buy and the best sell if both accept the price. */
function pairAt(
  { asks, bids }: ReferenceMarket,
  priceTicks: number,
): [ReferenceOrder, ReferenceOrder] | undefined {
  if (bids.length === 0 || bids[0].priceTicks < priceTicks) return undefined;
  if (asks.length === 0 || asks[0].priceTicks > priceTicks) return undefined;
  return [bids[0].orders[0], asks[0].orders[0]];
}

/** Buys first. */
function orderOutsideBand(market: ReferenceMarket): ReferenceOrder | undefined {
  const best = [market.bids[0]?.orders[0], market.asks[0]?.orders[0]];
  return best.find(
    (order) => order !== undefined && !isInsideBand(market, order.side, order.priceTicks),
  );
}

/**
 * Tries every price that can be the result: each order's price, one tick above and below it, and
 * the reference. Nothing changes between these prices.
 */
function auctionPrice(market: ReferenceMarket): number {
  const { asks, bids, referenceTicks } = market;
  const [lowest, highest] = [asks[0].priceTicks, bids[0].priceTicks];
  const limits = [...bids, ...asks].map((level) => level.priceTicks);
  const tried = [...limits, ...limits.map((at) => at - 1), ...limits.map((at) => at + 1)];
  const outcomes = [...tried, referenceTicks]
    .filter((price) => price >= lowest && price <= highest)
    .map((price) => {
      const demand = lotsOf(bids.filter((level) => level.priceTicks >= price));
      const supply = lotsOf(asks.filter((level) => level.priceTicks <= price));
      const volume = demand < supply ? demand : supply;
      const surplus = demand < supply ? supply - demand : demand - supply;
      return { price, volume, surplus, distance: Math.abs(price - referenceTicks) };
    });
  let best = outcomes[0];
  for (const one of outcomes) {
    if (one.volume !== best.volume) {
      if (one.volume > best.volume) best = one;
    } else if (one.surplus !== best.surplus) {
      if (one.surplus < best.surplus) best = one;
    } else if (one.distance !== best.distance) {
      if (one.distance < best.distance) best = one;
    } else if (one.price < best.price) best = one;
  }
  return best.price;
}

function lotsOf(levels: readonly ReferenceLevel[]): bigint {
  const orders = levels.flatMap((level) => level.orders);
  return orders.reduce((sum, order) => sum + BigInt(order.remainingLots), 0n);
}
