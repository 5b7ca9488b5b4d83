// A market's configuration and price state: last price and price band. Books live in matching.
// Fee rates by tier are here; an order keeps the rates at its placement.

import type { MarketStatus } from '../messages/index.ts';
import {
  type AssetId,
  type Atoms,
  bandEdges,
  type CommandNumber,
  type Lots,
  type MarketId,
  type Ppm,
  type Ticks,
  type TimeMs,
  ticksDown,
  ticksUp,
} from '../money/index.ts';

export const FEE_TIERS = 64;

export interface Market {
  readonly id: MarketId;
  readonly base: AssetId;
  readonly quote: AssetId;
  readonly lotAtoms: Atoms;
  readonly tickMantissa: number;
  readonly tickScale: number;
  readonly tickLotAtoms: Atoms;
  readonly minPriceTicks: Ticks;
  readonly maxPriceTicks: Ticks;
  readonly minSizeLots: Lots;
  readonly maxSizeLots: Lots;
  /** The market price until the first trade. */
  readonly listedTicks: Ticks;
  status: MarketStatus;
  /** The end of the auction; 0 for no such time. */
  auctionEndsMs: TimeMs;
  /** The auction has ended: nothing is accepted until the book is no longer crossed. */
  isUncrossing: boolean;
  /** The price of the uncrossing; 0 until it is known. */
  auctionTicks: Ticks;
  /** The poison command that froze the market; 0 if not frozen. */
  frozenBy: CommandNumber;
  /** 0 until the first trade. */
  lastTicks: Ticks;
  bandPpm: Ppm;
  slippagePpm: Ppm;
  /** The price that the band is measured from; 0 for none. */
  referenceTicks: Ticks;
  referenceSetMs: TimeMs;
  /** The edges of the band, derived from the reference and bandPpm. Without a band: no limit. */
  highestTicks: Ticks;
  lowestTicks: Ticks;
  readonly makerPpmByTier: Int32Array;
  readonly takerPpmByTier: Int32Array;
}

/** Sets the band's reference and derives the edges. Also called after a change of bandPpm. */
export function setReference(market: Market, referenceTicks: Ticks, nowMs: TimeMs): void {
  market.referenceTicks = referenceTicks;
  market.referenceSetMs = nowMs;
  const { highestTicks, lowestTicks } = bandEdges(referenceTicks, market.bandPpm);
  market.highestTicks = highestTicks;
  market.lowestTicks = lowestTicks;
}

/** The price that stops compare with: the last trade's, or the listing's reference price. */
export function marketTicks(market: Market): Ticks {
  return market.lastTicks > 0 ? market.lastTicks : market.listedTicks;
}

export function isInsideBand(market: Market, sells: boolean, priceTicks: Ticks): boolean {
  return sells ? priceTicks >= market.lowestTicks : priceTicks <= market.highestTicks;
}

export function bringInsideBand(market: Market, sells: boolean, priceTicks: Ticks): Ticks {
  if (isInsideBand(market, sells, priceTicks)) return priceTicks;
  return sells ? market.lowestTicks : market.highestTicks;
}

/** The slippage cap from a price, within the market's bounds. The band applies separately. */
export function worstTicks(market: Market, sells: boolean, fromTicks: Ticks): Ticks {
  const { slippagePpm, minPriceTicks, maxPriceTicks } = market;
  if (slippagePpm === 0) return sells ? minPriceTicks : maxPriceTicks;
  const slipped = sells ? ticksDown(fromTicks, slippagePpm) : ticksUp(fromTicks, slippagePpm);
  return Math.min(Math.max(slipped, minPriceTicks), maxPriceTicks) as Ticks;
}

/** The orders that each status accepts. Canceling works in every status. */
export type Accepted = 'all' | 'post_only' | 'resting_limit' | 'none';
const ACCEPTS: Record<MarketStatus, Accepted> = {
  full: 'all',
  'post-only': 'post_only',
  'cancel-only': 'none',
  'pre-launch': 'none',
  paused: 'none',
  maintenance: 'none',
  delisted: 'none',
  migration: 'none',
  inactive: 'none',
  auction: 'resting_limit',
};

export function accepts(market: Market, rulesVersion: number): Accepted {
  const isAuction = market.status === 'auction';
  if (isAuction && (rulesVersion < 2 || market.isUncrossing)) return 'none';
  return ACCEPTS[market.status];
}
