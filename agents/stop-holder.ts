// Holders of stop orders: each keeps one stop some percent away from the market, at a round price,
// and places a new one after it was triggered or the market has moved far away. Stops at the same
// round prices are the fuel of cascades.

import { type AgentMarket, lotsOf } from './agent-market.ts';
import type { RandomStream } from './random-stream.ts';
import type { Account, Agent } from './trading.ts';
import { lotsFor, midOf, randomFor, type World } from './world.ts';

const WAKE_MS = 90_000;
const NEAREST = 0.005;
const FARTHEST = 0.05;
const TOO_FAR = 0.08;
const MEDIAN_USDT = 600;

export class StopHolder implements Agent {
  readonly name: string;
  readonly #world: World;
  readonly #market: AgentMarket;
  readonly #account: Account;
  readonly #random: RandomStream;
  #order = 0;
  #price = 0;

  constructor(world: World, market: AgentMarket, account: Account) {
    this.name = account.name;
    this.#world = world;
    this.#market = market;
    this.#account = account;
    this.#random = randomFor(world, this.name, 'stops');
  }

  wake(nowMs: number): number {
    const mid = midOf(this.#world, this.#market);
    const isFar = Math.abs(this.#price / mid - 1) > TOO_FAR;
    if (this.#order !== 0 && isFar) {
      this.#world.trading.cancel(this.#order);
      this.#order = 0;
    }
    if (this.#order === 0) this.#place(mid);
    return nowMs + 1 + this.#random.exponential(WAKE_MS / this.#world.pace.others);
  }

  onClosed(order: number): void {
    if (order === this.#order) this.#order = 0;
  }

  #place(mid: number): void {
    const market = this.#market;
    const random = this.#random;
    // A stop of the side that lost its position would unbalance the account.
    const side = this.#account.baseShare(market, mid) > 0.5 ? 'sell' : 'buy';
    const away = NEAREST + (FARTHEST - NEAREST) * random.uniform() ** 2;
    const price = roundPrice(mid * (side === 'buy' ? 1 + away : 1 - away));
    if (side === 'buy' ? price <= mid * 1.001 : price >= mid * 0.999) return;
    const lots = lotsFor(this.#world, market, MEDIAN_USDT * random.logNormal(0.6), mid);
    if (lots === 0 || lotsOf(market, lots * market.lot) === 0) return;
    const ticks = Math.round(price / market.tick);
    const terms = { market, side, kind: 'stop', ticks, lots } as const;
    this.#price = price;
    this.#order = this.#world.trading.submit({ agent: this, account: this.#account, ...terms });
  }
}

/** To half a percent of the next power of ten: 59,500, 2,950, 0.915. */
function roundPrice(price: number): number {
  const step = 10 ** Math.floor(Math.log10(price)) / 20;
  return Math.round(price / step) * step;
}
