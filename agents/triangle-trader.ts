// An arbitrage trader across three pairs: when the direct pair and the way through a third asset
// differ, it trades all three legs at the same time and keeps the prices together.

import { type AgentMarket, BPS, lotsOf } from './agent-market.ts';
import type { RandomStream } from './random-stream.ts';
import type { Account, Agent, Top } from './trading.ts';
import { randomFor, type World } from './world.ts';

/** direct is A-C, first A-B and second B-C: direct = first × second. */
export interface Triangle {
  readonly direct: AgentMarket;
  readonly first: AgentMarket;
  readonly second: AgentMarket;
}

const WAKE_MS = 400;
const EDGE_BPS = 2;

export class TriangleTrader implements Agent {
  readonly name: string;
  readonly #world: World;
  readonly #triangle: Triangle;
  readonly #account: Account;
  readonly #wakes: RandomStream;
  readonly #feesBps: number;

  constructor(world: World, triangle: Triangle, account: Account, feesBps = 0) {
    this.name = account.name;
    this.#world = world;
    this.#triangle = triangle;
    this.#account = account;
    this.#feesBps = feesBps;
    this.#wakes = randomFor(world, this.name, 'wakes');
  }

  wake(nowMs: number): number {
    const { direct, first, second } = this.#triangle;
    const { conditions, trading } = this.#world;
    const markets = [direct, first, second];
    const tops = markets.map((market) => trading.top(market));
    // Arbitrage would pass a crash on to the other pairs, and end it.
    const isAway = markets.some(({ symbol }) => conditions.isPanic(symbol, nowMs));
    if (!isAway && tops.every(({ askTicks, bidTicks }) => askTicks > 0 && bidTicks > 0))
      this.#compare(tops);
    return nowMs + 1 + this.#wakes.exponential(WAKE_MS / this.#world.pace.others);
  }

  #compare([direct, first, second]: readonly Top[]): void {
    const { direct: d, first: f, second: s } = this.#triangle;
    const edge = 1 + (EDGE_BPS + 3 * this.#feesBps) * BPS;
    const directAsk = direct.askTicks * d.tick;
    const directBid = direct.bidTicks * d.tick;
    const wayBid = first.bidTicks * f.tick * second.bidTicks * s.tick;
    const wayAsk = first.askTicks * f.tick * second.askTicks * s.tick;
    if (wayBid > directAsk * edge) {
      const size = Math.min(
        direct.askLots * d.lot,
        first.bidLots * f.lot,
        bidSize(first, second, f, s),
      );
      this.#trade(size, [
        { market: d, side: 'buy', ticks: direct.askTicks },
        { market: f, side: 'sell', ticks: first.bidTicks },
        { market: s, side: 'sell', ticks: second.bidTicks },
      ]);
    } else if (directBid > wayAsk * edge) {
      const throughSecond = (second.askLots * s.lot) / (first.askTicks * f.tick);
      const size = Math.min(direct.bidLots * d.lot, first.askLots * f.lot, throughSecond);
      this.#trade(size, [
        { market: d, side: 'sell', ticks: direct.bidTicks },
        { market: f, side: 'buy', ticks: first.askTicks },
        { market: s, side: 'buy', ticks: second.askTicks },
      ]);
    }
  }

  #trade(
    size: number,
    legs: readonly { market: AgentMarket; side: 'buy' | 'sell'; ticks: number }[],
  ): void {
    const [direct, first, second] = legs;
    const through = size * first.ticks * first.market.tick;
    const orders = [
      { ...direct, lots: lotsOf(direct.market, size) },
      { ...first, lots: lotsOf(first.market, size) },
      { ...second, lots: lotsOf(second.market, through) },
    ];
    if (orders.some(({ lots }) => lots === 0)) return;
    for (const order of orders) {
      this.#world.trading.submit({ agent: this, account: this.#account, kind: 'ioc', ...order });
    }
  }
}

/** How much of the first pair's base the second pair's best bid takes. */
function bidSize(first: Top, second: Top, f: AgentMarket, s: AgentMarket): number {
  return (second.bidLots * s.lot) / (first.bidTicks * f.tick);
}
