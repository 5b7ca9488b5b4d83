// The price at which an auction would uncross now, from the levels of its book: the engine's rule
// applied to what the public knows.

import { type AuctionPrice, auctionPrice, bandEdges } from '../money/index.ts';
import type { MarketState } from './market-data.ts';
import type { OpenOrders } from './open-orders.ts';

/**
 * Undefined if the book is not crossed. Orders outside the band do not count: they close when the
 * uncrossing begins.
 */
export function indicativePrice(
  orders: OpenOrders,
  { bandPpm, listed, referenceTicks }: MarketState,
): AuctionPrice | undefined {
  const { asks, bids } = orders.crossingOf(listed.market);
  const { highestTicks, lowestTicks } = bandEdges(referenceTicks, bandPpm);
  return auctionPrice(
    bids.filter(({ priceTicks }) => priceTicks <= highestTicks),
    asks.filter(({ priceTicks }) => priceTicks >= lowestTicks),
    referenceTicks,
  );
}
