// A market's configuration and its moving price state: last price and price band. Books live in
// matching; fees by tier are here because they freeze onto orders when these are placed.

import type { MarketStatus } from '../messages/index.ts';
import {
  type AssetId,
  type Atoms,
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
  /** The market price until there is a last one. */
  readonly listedTicks: Ticks;
  status: MarketStatus;
  /** The poison command that froze the market; 0 when it is not frozen. */
  frozenBy: CommandNumber;
  /** 0 until the first trade. */
  lastTicks: Ticks;
  bandPpm: Ppm;
  slippagePpm: Ppm;
  /** What the band is measured from; 0 for none. */
  referenceTicks: Ticks;
  referenceSetMs: TimeMs;
  /** The band's edges, derived from reference and bandPpm. Without a band they exclude nothing. */
  highestTicks: Ticks;
  lowestTicks: Ticks;
  readonly makerPpmByTier: Int32Array;
  readonly takerPpmByTier: Int32Array;
}

/** Sets the band's reference and derives its edges; also after a change of bandPpm. */
export function setReference(market: Market, referenceTicks: Ticks, nowMs: TimeMs): void {
  market.referenceTicks = referenceTicks;
  market.referenceSetMs = nowMs;
  const banded = market.bandPpm > 0 && referenceTicks > 0;
  market.highestTicks = banded
    ? ticksUp(referenceTicks, market.bandPpm)
    : (Number.MAX_SAFE_INTEGER as Ticks);
  market.lowestTicks = banded ? ticksDown(referenceTicks, market.bandPpm) : (0 as Ticks);
}

/** What stops are measured against: the last trade, or what the listing said. */
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

/** The worst price a market order may take, starting from a price; the band comes on top. */
export function worstTicks(market: Market, sells: boolean, fromTicks: Ticks): Ticks {
  const { slippagePpm, minPriceTicks, maxPriceTicks } = market;
  if (slippagePpm === 0) return sells ? minPriceTicks : maxPriceTicks;
  const slipped = sells ? ticksDown(fromTicks, slippagePpm) : ticksUp(fromTicks, slippagePpm);
  return Math.min(Math.max(slipped, minPriceTicks), maxPriceTicks) as Ticks;
}

/** Which orders each status takes. Cancelling works in all of them. */
const ACCEPTS: Record<MarketStatus, 'all' | 'post_only' | 'none'> = {
  full: 'all',
  'post-only': 'post_only',
  'cancel-only': 'none',
  'pre-launch': 'none',
  paused: 'none',
  maintenance: 'none',
  delisted: 'none',
  migration: 'none',
  inactive: 'none',
  auction: 'none',
};

export function accepts(market: Market): 'all' | 'post_only' | 'none' {
  return ACCEPTS[market.status];
}
