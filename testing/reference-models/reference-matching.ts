// Matches an incoming order: the walk that predicts its fills, and the matching that executes them,
// with self-trade prevention, fees and settlement. Section 4 of the rules.

import type { SelfTradeMode, Side } from '../../core/messages/index.ts';
import { feeOf } from './exact-arithmetic.ts';
import { accepts, oppositeLevels, type TradedRange } from './reference-book.ts';
import { closeLinked, closeOrder } from './reference-closing.ts';
import { moveReference } from './reference-prices.ts';
import { settleTrade } from './reference-settlement.ts';
import {
  emit,
  marketOf,
  type ReferenceMarket,
  type ReferenceOrder,
  type ReferenceState,
  userOf,
} from './reference-state.ts';

export interface Walker {
  readonly user: number;
  readonly side: Side;
  readonly selfTrade: SelfTradeMode;
  readonly priceTicks: number;
  readonly sizeLots: number;
}

/** Returns the fills that an incoming order would get now. Changes nothing. */
export function walk(
  state: ReferenceState,
  market: ReferenceMarket,
  walker: Walker,
): { filledLots: number; quoteAtoms: bigint } {
  let filledLots = 0;
  let quoteAtoms = 0n;
  let fills = 0;
  let ownOrders = 0;
  for (const level of oppositeLevels(market, walker.side)) {
    if (!accepts(walker.side, walker.priceTicks, level.priceTicks)) break;
    for (const resting of level.orders) {
      const isDone = filledLots === walker.sizeLots || fills === state.limits.fillsPerCommandMax;
      if (isDone) return { filledLots, quoteAtoms };
      const meeting = meetingOf(state, walker, resting);
      if (meeting === 'cancel_oldest' && ownOrders < state.limits.ownOrdersPerCommandMax) {
        ownOrders += 1;
        continue;
      }
      if (meeting !== 'trade') return { filledLots, quoteAtoms };
      const lots = Math.min(walker.sizeLots - filledLots, resting.remainingLots);
      quoteAtoms += market.tickLotAtoms * BigInt(level.priceTicks) * BigInt(lots);
      filledLots += lots;
      fills += 1;
    }
  }
  return { filledLots, quoteAtoms };
}

/** Returns the result of two orders meeting: a trade, or which of them is canceled. */
export function meetingOf(
  state: ReferenceState,
  incoming: { user: number; selfTrade: SelfTradeMode },
  resting: ReferenceOrder,
): 'trade' | 'cancel_newest' | 'cancel_oldest' | 'cancel_both' {
  if (incoming.user === resting.user) {
    return incoming.selfTrade === 'off' ? 'trade' : incoming.selfTrade;
  }
  const group = userOf(state, incoming.user).group;
  if (group === 0 || group !== userOf(state, resting.user).group) return 'trade';
  return incoming.selfTrade === 'off' ? 'cancel_newest' : incoming.selfTrade;
}

/**
 * Fills an incoming order as far as possible. The order is then filled and closed, closed for
 * another reason, or still incoming with a remaining size. Returns the price range of its trades,
 * if any.
 */
export function matchIncoming(
  state: ReferenceState,
  incoming: ReferenceOrder,
): TradedRange | undefined {
  const market = marketOf(state, incoming);
  const pricesTicks: number[] = [];
  let ownOrders = 0;
  while (incoming.remainingLots > 0) {
    const resting = nextResting(market, incoming);
    if (resting === undefined) break;
    if (pricesTicks.length === state.limits.fillsPerCommandMax) {
      closeOrder(state, incoming, 'fills_per_command_reached');
      break;
    }
    let meeting = meetingOf(state, incoming, resting);
    if (meeting === 'cancel_oldest' && ownOrders === state.limits.ownOrdersPerCommandMax) {
      meeting = 'cancel_newest';
    }
    if (meeting === 'cancel_oldest' || meeting === 'cancel_both') {
      ownOrders += 1;
      closeOrder(state, resting, 'self_trade_prevented');
    }
    if (meeting === 'cancel_newest' || meeting === 'cancel_both') {
      closeOrder(state, incoming, 'self_trade_prevented');
      break;
    }
    if (meeting === 'trade') {
      pricesTicks.push(resting.priceTicks);
      const { priceTicks } = resting;
      trade(state, market, incoming, resting, { priceTicks, takerFeePpm: incoming.takerFeePpm });
    }
  }
  if (incoming.remainingLots === 0) closeOrder(state, incoming, 'filled');
  if (pricesTicks.length === 0) return undefined;
  return { lowestTicks: Math.min(...pricesTicks), highestTicks: Math.max(...pricesTicks) };
}

function nextResting(
  market: ReferenceMarket,
  incoming: ReferenceOrder,
): ReferenceOrder | undefined {
  const best = oppositeLevels(market, incoming.side)[0];
  if (best === undefined) return undefined;
  return accepts(incoming.side, incoming.priceTicks, best.priceTicks) ? best.orders[0] : undefined;
}

/** In an auction the price belongs to neither order, and both sides pay the maker rate. */
export function trade(
  state: ReferenceState,
  market: ReferenceMarket,
  taker: ReferenceOrder,
  maker: ReferenceOrder,
  { priceTicks, takerFeePpm }: { priceTicks: number; takerFeePpm: number },
): void {
  closeLinked(state, maker);
  closeLinked(state, taker);
  const sizeLots = Math.min(taker.remainingLots, maker.remainingLots);
  const baseAtoms = market.lotAtoms * BigInt(sizeLots);
  const quoteAtoms = market.tickLotAtoms * BigInt(priceTicks) * BigInt(sizeLots);
  const [takerReceives, makerReceives] =
    taker.side === 'buy' ? [baseAtoms, quoteAtoms] : [quoteAtoms, baseAtoms];
  const buyer = taker.side === 'buy' ? taker : maker;
  const releasedAtoms = releasedByFill(market, buyer, { priceTicks, sizeLots });

  taker.remainingLots -= sizeLots;
  maker.remainingLots -= sizeLots;
  taker.heldAtoms -= makerReceives;
  maker.heldAtoms -= takerReceives;
  buyer.heldAtoms -= releasedAtoms;
  state.trades += 1;
  market.lastPriceTicks = priceTicks;

  const settled = {
    takerSide: taker.side,
    maker: maker.user,
    taker: taker.user,
    baseAtoms,
    quoteAtoms,
    makerFeeAtoms: feeOf(makerReceives, maker.makerFeePpm),
    takerFeeAtoms: feeOf(takerReceives, takerFeePpm),
    releasedAtoms,
  };
  settleTrade(state.ledger, market, settled, 'held');
  emit(state, {
    kind: 'TradeExecuted',
    trade: state.trades,
    market: market.id,
    base: market.base,
    quote: market.quote,
    priceTicks,
    sizeLots,
    makerOrder: maker.number,
    takerOrder: taker.number,
    makerRemainingLots: maker.remainingLots,
    takerRemainingLots: taker.remainingLots,
    ...settled,
    house: userOf(state, maker.user).house || userOf(state, taker.user).house,
    quick: taker.quick,
  });
  if (market.referenceTicks === 0) moveReference(state, market, priceTicks);
  if (maker.remainingLots === 0) closeOrder(state, maker, 'filled');
}

/** Returns the part of a buyer's hold above the trade price. */
function releasedByFill(
  market: ReferenceMarket,
  buyer: ReferenceOrder,
  fill: { priceTicks: number; sizeLots: number },
): bigint {
  if (buyer.heldPriceTicks === 0) return 0n;
  const aboveTicks = buyer.heldPriceTicks - fill.priceTicks;
  return market.tickLotAtoms * BigInt(aboveTicks) * BigInt(fill.sizeLots);
}
