// A value trader: takes a price that is clearly better than its belief about the fair value.

import { type AgentMarket, BPS, type Side, ticksAt } from './agent-market.ts';
import type { RandomStream } from './random-stream.ts';
import type { Account, Agent } from './trading.ts';
import { affordableLots, lotsFor, randomFor, type World } from './world.ts';

const WAKE_MS = 2_500;
const EDGE_BPS = 4;
const NOISE_BPS = 1.5;
const MEDIAN_USDT = 900;
/** The part of its wakes that it sleeps through in a crash. */
const ASLEEP_IN_PANIC = 0.97;

export class ValueTrader implements Agent {
  readonly name: string;
  readonly #world: World;
  readonly #market: AgentMarket;
  readonly #account: Account;
  readonly #random: RandomStream;
  readonly #wakes: RandomStream;

  constructor(world: World, market: AgentMarket, account: Account) {
    this.name = account.name;
    this.#world = world;
    this.#market = market;
    this.#account = account;
    this.#random = randomFor(world, this.name, 'orders');
    this.#wakes = randomFor(world, this.name, 'wakes');
  }

  wake(nowMs: number): number {
    const { conditions, fair, pace, trading } = this.#world;
    const market = this.#market;
    const random = this.#random;
    const belief = fair.price(market.base, market.quote) * (1 + NOISE_BPS * BPS * random.normal());
    const sleeps = conditions.isPanic(market.symbol, nowMs) && random.chance(ASLEEP_IN_PANIC);
    const { askTicks, bidTicks } = trading.top(market);
    if (!sleeps && askTicks > 0 && askTicks * market.tick < belief * (1 - EDGE_BPS * BPS)) {
      this.#take('buy', belief * (1 - EDGE_BPS * BPS));
    } else if (!sleeps && bidTicks * market.tick > belief * (1 + EDGE_BPS * BPS)) {
      this.#take('sell', belief * (1 + EDGE_BPS * BPS));
    }
    return nowMs + 1 + this.#wakes.exponential(WAKE_MS / market.activity / pace.others);
  }

  #take(side: Side, price: number): void {
    const market = this.#market;
    const usdt = MEDIAN_USDT * this.#random.logNormal(0.8);
    const wanted = lotsFor(this.#world, market, usdt, price);
    const ticks = ticksAt(market, price, side);
    const lots = affordableLots(this.#account, market, side, { lots: wanted, ticks });
    if (lots < market.minLots) return;
    const terms = { market, side, kind: 'ioc', ticks, lots } as const;
    this.#world.trading.submit({ agent: this, account: this.#account, ...terms });
  }
}
