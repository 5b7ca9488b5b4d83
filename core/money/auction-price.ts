// The price of a call auction from the two sides of a book: docs/trading-rules.md, section 13. The
// engine uncrosses at it, and the publisher shows it as the indicative price.

import type { Ticks } from './units.ts';

/** The total size at one price. */
export interface AuctionLevel {
  readonly priceTicks: number;
  /** A total of lots can exceed the safe integers. */
  readonly totalLots: bigint;
}

export interface AuctionPrice {
  readonly priceTicks: Ticks;
  /** The size that trades at this price. */
  readonly volumeLots: bigint;
  /** Demand minus supply: positive if more wants to buy. */
  readonly imbalanceLots: bigint;
}

/**
 * The largest volume, then the smallest imbalance, then the price closest to the reference. Both
 * sides are best first. Undefined if they do not cross. The prices that are equal by the first two
 * rules follow each other without a gap, so one of them is closest.
 */
export function auctionPrice(
  bids: readonly AuctionLevel[],
  asks: readonly AuctionLevel[],
  referenceTicks: number,
): AuctionPrice | undefined {
  if (bids.length === 0 || asks.length === 0) return undefined;
  const [lowest, highest] = [asks[0].priceTicks, bids[0].priceTicks];
  let demand = 0n;
  let bid = 0;
  for (; bid < bids.length && bids[bid].priceTicks >= lowest; bid++) {
    demand += bids[bid].totalLots;
  }
  let supply = 0n;
  let ask = 0;
  let best: AuctionPrice | undefined;
  // Upwards over ranges of prices with the same demand and supply. `bid` is one behind the lowest
  // bid that still counts, `ask` the next one to count.
  for (let from = lowest; from <= highest; ) {
    for (; ask < asks.length && asks[ask].priceTicks <= from; ask++) {
      supply += asks[ask].totalLots;
    }
    for (; bids[bid - 1].priceTicks < from; bid--) {
      demand -= bids[bid - 1].totalLots;
    }
    const nextAsk = ask < asks.length ? asks[ask].priceTicks : Number.POSITIVE_INFINITY;
    const to = Math.min(nextAsk - 1, bids[bid - 1].priceTicks);
    const found = {
      priceTicks: Math.min(Math.max(referenceTicks, from), to) as Ticks,
      volumeLots: demand < supply ? demand : supply,
      imbalanceLots: demand - supply,
    };
    if (best === undefined || isBetter(found, best, referenceTicks)) best = found;
    from = to + 1;
  }
  return best;
}

/** A later range is higher, so an equal one is not better. */
function isBetter(one: AuctionPrice, other: AuctionPrice, referenceTicks: number): boolean {
  if (one.volumeLots !== other.volumeLots) return one.volumeLots > other.volumeLots;
  const [surplus, otherSurplus] = [sizeOf(one.imbalanceLots), sizeOf(other.imbalanceLots)];
  if (surplus !== otherSurplus) return surplus < otherSurplus;
  const distance = Math.abs(one.priceTicks - referenceTicks);
  return distance < Math.abs(other.priceTicks - referenceTicks);
}

function sizeOf(lots: bigint): bigint {
  return lots < 0n ? -lots : lots;
}
