// Everything that all agents of a population share: the port, the fair value, the conditions of the
// mode, and small decisions that several kinds of agents make in the same way.

import { type AgentMarket, BPS, lotsOf, type Side } from './agent-market.ts';
import type { FairValue } from './fair-value/fair-value.ts';
import type { Conditions } from './modes.ts';
import { RandomStream } from './random-stream.ts';
import type { Account, Trading } from './trading.ts';

/** How fast each kind of agent acts: 1 is a live market. */
export interface Pace {
  readonly makers: number;
  readonly noise: number;
  readonly takers: number;
  readonly others: number;
  /** Multiplies how far a maker's quote may be off before it is replaced. */
  readonly tolerance: number;
  /** The most levels that a maker quotes on a side. */
  readonly levels: number;
}

export interface World {
  readonly seed: number;
  readonly trading: Trading;
  readonly fair: FairValue;
  readonly conditions: Conditions;
  /** A driver with a dial changes it. */
  pace: Pace;
}

const EMPTY_SIDE_BPS = 25;
const SPENT_MAX = 0.5;

export function randomFor(world: World, agent: string, purpose: string): RandomStream {
  return new RandomStream(world.seed, agent, purpose);
}

/** The middle of the book. Without buyers the price must be lower, without sellers higher. */
export function midOf(world: World, market: AgentMarket): number {
  const { askTicks, bidTicks } = world.trading.top(market);
  if (askTicks === 0 && bidTicks === 0) return world.fair.price(market.base, market.quote);
  if (bidTicks === 0) return askTicks * market.tick * (1 - EMPTY_SIDE_BPS * BPS);
  if (askTicks === 0) return bidTicks * market.tick * (1 + EMPTY_SIDE_BPS * BPS);
  return ((askTicks + bidTicks) / 2) * market.tick;
}

/** Lots for an amount in USDT at this price. */
export function lotsFor(world: World, market: AgentMarket, usdt: number, price: number): number {
  const inQuote = usdt / world.fair.price(market.quote, 'usdt');
  return lotsOf(market, inQuote / price);
}

/** No more lots than the account can pay for, less a reserve for its other open orders. */
export function affordableLots(
  account: Account,
  market: AgentMarket,
  side: Side,
  { lots, ticks }: { readonly lots: number; readonly ticks: number },
): number {
  const { amounts } = account;
  const price = ticks * market.tick;
  const size = side === 'buy' ? amounts[market.quote] / price : amounts[market.base];
  return Math.min(lots, lotsOf(market, size * SPENT_MAX));
}

/** Prefers the side that returns the account to half base, half quote. */
export function pickSide(
  random: RandomStream,
  account: Account,
  market: AgentMarket,
  price: number,
): Side {
  const tilt = Math.tanh((0.5 - account.baseShare(market, price)) / 0.2);
  return random.chance(0.5 + 0.35 * tilt) ? 'buy' : 'sell';
}

/** The price of an immediate order that accepts this distance from the best price, in ticks. */
export function cappedTicks(world: World, market: AgentMarket, side: Side, capBps: number): number {
  const { askTicks, bidTicks } = world.trading.top(market);
  if (side === 'buy') return Math.floor(askTicks * (1 + capBps * BPS));
  return Math.ceil(bidTicks * (1 - capBps * BPS));
}
