// The reference's order book: two sorted arrays of levels per market, scanned from the best price,
// and two lists of stops. Knows prices and positions, not money.

import assert from 'node:assert/strict';
import type { Side } from '../../core/messages/index.ts';
import type { ReferenceLevel, ReferenceMarket, ReferenceOrder } from './reference-state.ts';

export function ownLevels(market: ReferenceMarket, side: Side): ReferenceLevel[] {
  return side === 'buy' ? market.bids : market.asks;
}

export function oppositeLevels(market: ReferenceMarket, side: Side): ReferenceLevel[] {
  return side === 'buy' ? market.asks : market.bids;
}

export function bestOppositeTicks(market: ReferenceMarket, side: Side): number | undefined {
  return oppositeLevels(market, side)[0]?.priceTicks;
}

/** Returns whether an incoming order with this price can trade at the opposite price. */
export function accepts(side: Side, ownTicks: number, oppositeTicks: number): boolean {
  return side === 'buy' ? oppositeTicks <= ownTicks : oppositeTicks >= ownTicks;
}

/** Adds the order to the end of its price level. */
export function addToBook(market: ReferenceMarket, order: ReferenceOrder): void {
  const levels = ownLevels(market, order.side);
  const isWorse = (level: ReferenceLevel) =>
    order.side === 'buy'
      ? level.priceTicks < order.priceTicks
      : level.priceTicks > order.priceTicks;
  let index = levels.findIndex((level) => isWorse(level) || level.priceTicks === order.priceTicks);
  if (index < 0) index = levels.length;
  if (levels[index]?.priceTicks !== order.priceTicks) {
    levels.splice(index, 0, { priceTicks: order.priceTicks, orders: [] });
  }
  levels[index].orders.push(order);
  order.place = 'book';
}

/** Removes an order from the book or a stop list; an incoming order is in neither. */
export function removeFromMarket(market: ReferenceMarket, order: ReferenceOrder): void {
  if (order.place === 'book') removeFromLevel(market, order);
  if (order.place === 'waiting') removeFromList(market.waitingStops, order);
  if (order.place === 'ready') removeFromList(market.readyStops, order);
  order.place = 'incoming';
}

function removeFromLevel(market: ReferenceMarket, order: ReferenceOrder): void {
  const levels = ownLevels(market, order.side);
  const index = levels.findIndex((level) => level.priceTicks === order.priceTicks);
  assert.ok(index >= 0, `order ${order.number} must have a level`);
  removeFromList(levels[index].orders, order);
  if (levels[index].orders.length === 0) levels.splice(index, 1);
}

function removeFromList(orders: ReferenceOrder[], order: ReferenceOrder): void {
  const index = orders.indexOf(order);
  assert.ok(index >= 0, `order ${order.number} must be in the list that its place names`);
  orders.splice(index, 1);
}

export function addWaitingStop(market: ReferenceMarket, order: ReferenceOrder): void {
  market.waitingStops.push(order);
  order.place = 'waiting';
}

export interface TradedRange {
  readonly lowestTicks: number;
  readonly highestTicks: number;
}

/** Moves triggered stops to the end of the ready queue, those that waited for a rise first. */
export function triggerStops(market: ReferenceMarket, traded: TradedRange): void {
  const rising = waitingForRise(market).filter((stop) => stop.stopTicks <= traded.highestTicks);
  const falling = waitingForFall(market).filter((stop) => stop.stopTicks >= traded.lowestTicks);
  for (const stop of [...rising, ...falling]) {
    removeFromMarket(market, stop);
    market.readyStops.push(stop);
    stop.place = 'ready';
  }
}

// The waiting list is in order of arrival and the sort is stable, so equal prices keep that order.

/** Buy stops and sell take-profits, lowest stop price first. */
function waitingForRise(market: ReferenceMarket): ReferenceOrder[] {
  const stops = market.waitingStops.filter((stop) => !waitsForFall(stop));
  return stops.sort((a, b) => a.stopTicks - b.stopTicks);
}

/** Sell stops and buy take-profits, highest stop price first. */
function waitingForFall(market: ReferenceMarket): ReferenceOrder[] {
  const stops = market.waitingStops.filter(waitsForFall);
  return stops.sort((a, b) => b.stopTicks - a.stopTicks);
}

export function waitsForFall({ side, trigger }: Pick<ReferenceOrder, 'side' | 'trigger'>): boolean {
  return trigger === 'stop' ? side === 'sell' : side === 'buy';
}

export interface OrderView {
  readonly order: number;
  readonly user: number;
  readonly remainingLots: number;
}

export interface LevelView {
  readonly priceTicks: number;
  readonly orders: readonly OrderView[];
}

export interface StopView extends OrderView {
  readonly side: Side;
  readonly stopTicks: number;
  readonly ready: boolean;
}

export interface BookView {
  /** Best first, then in the order of joining the level. */
  readonly bids: readonly LevelView[];
  readonly asks: readonly LevelView[];
  /** The ready queue, then those waiting for a rise and for a fall, next to trigger first. */
  readonly stops: readonly StopView[];
}

export function viewBook(market: ReferenceMarket): BookView {
  const stops = [...market.readyStops, ...waitingForRise(market), ...waitingForFall(market)];
  return {
    bids: market.bids.map(viewLevel),
    asks: market.asks.map(viewLevel),
    stops: stops.map((stop) => ({
      ...viewOrder(stop),
      side: stop.side,
      stopTicks: stop.stopTicks,
      ready: stop.place === 'ready',
    })),
  };
}

function viewLevel(level: ReferenceLevel): LevelView {
  return { priceTicks: level.priceTicks, orders: level.orders.map(viewOrder) };
}

function viewOrder({ number, user, remainingLots }: ReferenceOrder): OrderView {
  return { order: number, user, remainingLots };
}
