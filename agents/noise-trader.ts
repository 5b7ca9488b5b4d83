// Zero intelligence: limit orders at distances with a heavy tail, each with a life that grows with
// its distance. Its orders give the book its shape and its cancellations.

import { type AgentMarket, BPS, ticksAt } from './agent-market.ts';
import { season } from './fair-value/season.ts';
import { MinHeap } from './min-heap.ts';
import type { RandomStream } from './random-stream.ts';
import type { Account, Agent } from './trading.ts';
import { lotsFor, pickSide, randomFor, type World } from './world.ts';

const ORDERS_A_SECOND = 0.9;
const NEAREST_BPS = 0.3;
const FARTHEST_BPS = 300;
const TAIL = 0.9;
const IMPROVES = 0.08;
const MEDIAN_USDT = 350;

export class NoiseTrader implements Agent {
  readonly name: string;
  readonly #world: World;
  readonly #market: AgentMarket;
  readonly #accounts: readonly Account[];
  readonly #random: RandomStream;
  readonly #wakes: RandomStream;
  readonly #open = new Set<number>();
  readonly #ends = new MinHeap<number>();
  #nextOrderMs = 0;

  constructor(world: World, market: AgentMarket, accounts: readonly Account[]) {
    this.name = `${market.symbol} noise`;
    this.#world = world;
    this.#market = market;
    this.#accounts = accounts;
    this.#random = randomFor(world, this.name, 'orders');
    this.#wakes = randomFor(world, this.name, 'wakes');
  }

  wake(nowMs: number): number {
    while (this.#ends.nextMs <= nowMs) {
      const order = this.#ends.pop()!;
      if (this.#open.delete(order)) this.#world.trading.cancel(order);
    }
    if (nowMs >= this.#nextOrderMs) {
      if (this.#nextOrderMs > 0) this.#place(nowMs);
      const { activity } = this.#market;
      const aSecond = ORDERS_A_SECOND * activity * season(nowMs) * this.#world.pace.noise;
      this.#nextOrderMs = nowMs + 1 + this.#wakes.exponential(1_000 / aSecond);
    }
    return Math.max(Math.min(this.#nextOrderMs, this.#ends.nextMs), nowMs + 1);
  }

  onClosed(order: number): void {
    this.#open.delete(order);
  }

  #place(nowMs: number): void {
    const { trading } = this.#world;
    const market = this.#market;
    const random = this.#random;
    const { askTicks, bidTicks } = trading.top(market);
    const account = this.#accounts[random.below(this.#accounts.length)];
    if (askTicks === 0 || bidTicks === 0) return;
    const side = pickSide(random, account, market, bidTicks * market.tick);
    const bestTicks = side === 'buy' ? bidTicks : askTicks;
    const bps = random.pareto(TAIL, NEAREST_BPS, FARTHEST_BPS);
    const away = side === 'buy' ? 1 - bps * BPS : 1 + bps * BPS;
    const improves = random.chance(IMPROVES) && askTicks - bidTicks > 1;
    const better = side === 'buy' ? bidTicks + 1 : askTicks - 1;
    const ticks = improves ? better : ticksAt(market, bestTicks * market.tick * away, side);
    const usdt = MEDIAN_USDT * random.logNormal(1.1);
    const lots = lotsFor(this.#world, market, usdt, ticks * market.tick);
    const lifeMs = random.exponential(6_000 + 9_000 * Math.sqrt(bps)) / this.#world.pace.noise;
    if (lots === 0) return;
    const terms = { market, side, kind: 'post-only', ticks, lots } as const;
    const order = trading.submit({ agent: this, account, ...terms });
    this.#open.add(order);
    this.#ends.push(nowMs + lifeMs, order);
  }
}
