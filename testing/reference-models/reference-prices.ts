// Prices that an order can have: the market's limits, the band around its reference, and the worst
// price of a market order. Sections 3 and 5 of the rules.

import type { Refusal, Side } from '../../core/messages/index.ts';
import { larger, loweredBy, raisedBy, smaller } from './exact-arithmetic.ts';
import { emit, type ReferenceMarket, type ReferenceState } from './reference-state.ts';

export function checkSizeBounds(market: ReferenceMarket, sizeLots: number): Refusal | undefined {
  if (sizeLots < market.minSizeLots) return 'size_below_minimum';
  if (sizeLots > market.maxSizeLots) return 'size_above_maximum';
  return undefined;
}

export function checkPriceBounds(market: ReferenceMarket, priceTicks: number): Refusal | undefined {
  if (priceTicks < market.minPriceTicks) return 'price_below_minimum';
  if (priceTicks > market.maxPriceTicks) return 'price_above_maximum';
  return undefined;
}

function hasBand(market: ReferenceMarket): boolean {
  return market.bandPpm > 0 && market.referenceTicks > 0;
}

/**
 * Caps a buy price at the highest price of the band; raises a sell price to at least the lowest.
 */
function broughtInsideBand(market: ReferenceMarket, side: Side, price: bigint): bigint {
  if (!hasBand(market)) return price;
  return side === 'buy'
    ? smaller(price, raisedBy(market.referenceTicks, market.bandPpm))
    : larger(price, loweredBy(market.referenceTicks, market.bandPpm));
}

function broughtInsideBounds(market: ReferenceMarket, price: bigint): number {
  const atMost = smaller(price, BigInt(market.maxPriceTicks));
  return Number(larger(atMost, BigInt(market.minPriceTicks)));
}

export function insideBandTicks(market: ReferenceMarket, side: Side, priceTicks: number): number {
  return Number(broughtInsideBand(market, side, BigInt(priceTicks)));
}

export function isInsideBand(market: ReferenceMarket, side: Side, priceTicks: number): boolean {
  return insideBandTicks(market, side, priceTicks) === priceTicks;
}

function withSlippage(market: ReferenceMarket, side: Side, fromTicks: number): bigint {
  if (market.slippagePpm === 0) {
    return BigInt(side === 'buy' ? market.maxPriceTicks : market.minPriceTicks);
  }
  return side === 'buy'
    ? raisedBy(fromTicks, market.slippagePpm)
    : loweredBy(fromTicks, market.slippagePpm);
}

/** Returns the worst price that a market order can take, from the best opposite price. */
export function worstMarketTicks(market: ReferenceMarket, side: Side, bestTicks: number): number {
  const worst = withSlippage(market, side, bestTicks);
  return broughtInsideBounds(market, broughtInsideBand(market, side, worst));
}

/** Returns the hold price of a stop-market order, from its stop price and without the band. */
export function stopMarketTicks(market: ReferenceMarket, side: Side, stopTicks: number): number {
  return broughtInsideBounds(market, withSlippage(market, side, stopTicks));
}

/** Returns the worst price of an executed quote: no slippage cap, only band and limits. */
export function worstQuoteTicks(market: ReferenceMarket, side: Side): number {
  const worst = BigInt(side === 'buy' ? market.maxPriceTicks : market.minPriceTicks);
  return broughtInsideBounds(market, broughtInsideBand(market, side, worst));
}

/** Moves the band's reference to the last trade at the start of a frame, once per window. */
export function followReference(state: ReferenceState, market: ReferenceMarket): void {
  const hasWindowPassed = state.timeMs - market.referenceSetAtMs >= state.limits.bandWindowMs;
  if (hasWindowPassed && market.lastPriceTicks > 0)
    moveReference(state, market, market.lastPriceTicks);
}

/** Moves the market's reference, by time or by its first trade. */
export function moveReference(
  state: ReferenceState,
  market: ReferenceMarket,
  referenceTicks: number,
): void {
  const before = market.referenceTicks;
  setReference(state, market, referenceTicks);
  if (before === referenceTicks) return;
  emit(state, { kind: 'BandReferenceMoved', market: market.id, referenceTicks });
}

export function setReference(
  state: ReferenceState,
  market: ReferenceMarket,
  referenceTicks: number,
): void {
  market.referenceTicks = referenceTicks;
  market.referenceSetAtMs = state.timeMs;
}
