// Takers: immediate orders that excite further ones (Hawkes, two memories). More than half are
// children of large orders, which gives the signs of trades their long memory.

import type { AgentMarket, Side } from './agent-market.ts';
import { season } from './fair-value/season.ts';
import type { RandomStream } from './random-stream.ts';
import type { Account, Agent } from './trading.ts';
import {
  affordableLots,
  cappedTicks,
  lotsFor,
  midOf,
  pickSide,
  randomFor,
  type World,
} from './world.ts';

interface LargeOrder {
  readonly account: Account;
  readonly side: Side;
  childrenLeft: number;
}

const BASE_A_SECOND = 0.055;
/** Each trade causes this many more, within about this many seconds. */
const KERNELS = [
  { children: 0.35, tau: 2 },
  { children: 0.35, tau: 45 },
] as const;
const LARGE_ORDERS = 6;
const CHILDREN = 0.55;
const CAP_BPS = 30;
const MEDIAN_USDT = 300;
/** How much the base rate may rise between two candidates. */
const HEADROOM = 1.3;

export class Taker implements Agent {
  readonly name: string;
  readonly #world: World;
  readonly #market: AgentMarket;
  readonly #accounts: readonly Account[];
  readonly #random: RandomStream;
  readonly #wakes: RandomStream;
  readonly #large: LargeOrder[] = [];
  readonly #excited = KERNELS.map(() => 0);
  #lastMs = 0;
  #bound = 0;

  constructor(world: World, market: AgentMarket, accounts: readonly Account[]) {
    this.name = `${market.symbol} taker`;
    this.#world = world;
    this.#market = market;
    this.#accounts = accounts;
    this.#random = randomFor(world, this.name, 'orders');
    this.#wakes = randomFor(world, this.name, 'wakes');
  }

  /** Thinning: a candidate is taken with the probability of the rate now over the bound before. */
  wake(nowMs: number): number {
    const seconds = (nowMs - this.#lastMs) / 1_000;
    const pace = this.#world.pace.takers;
    for (const [index, { tau }] of KERNELS.entries()) {
      this.#excited[index] *= Math.exp((-seconds * pace) / tau);
    }
    if (this.#lastMs > 0 && this.#wakes.chance(this.#rate(nowMs) / this.#bound)) {
      this.#take();
      for (const [index, { children, tau }] of KERNELS.entries()) {
        this.#excited[index] += children / tau;
      }
    }
    this.#lastMs = nowMs;
    this.#bound = this.#rate(nowMs) * HEADROOM;
    return nowMs + 1 + this.#wakes.exponential(1_000 / this.#bound);
  }

  #rate(nowMs: number): number {
    const { fair, pace } = this.#world;
    const base = BASE_A_SECOND * this.#market.activity * season(nowMs) * fair.multiplier ** 0.8;
    return (base + this.#excited[0] + this.#excited[1]) * pace.takers;
  }

  #take(): void {
    const market = this.#market;
    const random = this.#random;
    const mid = midOf(this.#world, market);
    const isChild = random.chance(CHILDREN);
    const { account, side } = isChild ? this.#child(mid) : this.#single(mid);
    const ticks = cappedTicks(this.#world, market, side, CAP_BPS);
    const usdt = MEDIAN_USDT * random.logNormal(1.2);
    const wanted = lotsFor(this.#world, market, usdt, mid);
    const lots = affordableLots(account, market, side, { lots: wanted, ticks });
    if (ticks < 1 || lots < market.minLots) return;
    const terms = { market, side, kind: 'ioc', ticks, lots } as const;
    this.#world.trading.submit({ agent: this, account, ...terms });
  }

  #single(mid: number): { account: Account; side: Side } {
    const account = this.#accounts[this.#random.below(this.#accounts.length)];
    return { account, side: pickSide(this.#random, account, this.#market, mid) };
  }

  #child(mid: number): LargeOrder {
    const at = this.#random.below(LARGE_ORDERS);
    const found = this.#large[at];
    if (found !== undefined && found.childrenLeft > 0) {
      found.childrenLeft -= 1;
      return found;
    }
    const length = Math.floor(this.#random.pareto(1.5, 2, 300));
    const order = { ...this.#single(mid), childrenLeft: length - 1 };
    this.#large[at] = order;
    return order;
  }
}
