// A momentum trader: follows the market when a short average of its price leaves a long one.

import { type AgentMarket, BPS } from './agent-market.ts';
import type { RandomStream } from './random-stream.ts';
import type { Account, Agent } from './trading.ts';
import { cappedTicks, lotsFor, midOf, randomFor, type World } from './world.ts';

const WAKE_MS = 9_000;
const SHORT = 8;
const LONG = 60;
const ACTS = 0.3;
const CAP_BPS = 20;
const MEDIAN_USDT = 350;
/** It does not follow beyond this share of one asset. */
const SHARE_MAX = 0.9;

export class MomentumTrader implements Agent {
  readonly name: string;
  readonly #world: World;
  readonly #market: AgentMarket;
  readonly #account: Account;
  readonly #thresholdBps: number;
  readonly #random: RandomStream;
  readonly #wakes: RandomStream;
  #short = 0;
  #long = 0;

  constructor(world: World, market: AgentMarket, account: Account, thresholdBps: number) {
    this.name = account.name;
    this.#world = world;
    this.#market = market;
    this.#account = account;
    this.#thresholdBps = thresholdBps;
    this.#random = randomFor(world, this.name, 'orders');
    this.#wakes = randomFor(world, this.name, 'wakes');
  }

  wake(nowMs: number): number {
    const mid = midOf(this.#world, this.#market);
    this.#short = this.#short === 0 ? mid : this.#short + (mid - this.#short) / SHORT;
    this.#long = this.#long === 0 ? mid : this.#long + (mid - this.#long) / LONG;
    const bps = (this.#short / this.#long - 1) / BPS;
    if (Math.abs(bps) > this.#thresholdBps && this.#random.chance(ACTS)) this.#follow(bps, mid);
    return nowMs + 1 + this.#wakes.exponential(WAKE_MS / this.#world.pace.others);
  }

  #follow(bps: number, mid: number): void {
    const market = this.#market;
    const side = bps > 0 ? 'buy' : 'sell';
    const share = this.#account.baseShare(market, mid);
    if (side === 'buy' ? share > SHARE_MAX : share < 1 - SHARE_MAX) return;
    const ticks = cappedTicks(this.#world, market, side, CAP_BPS);
    const lots = lotsFor(this.#world, market, MEDIAN_USDT * this.#random.logNormal(0.8), mid);
    if (ticks < 1 || lots === 0) return;
    const terms = { market, side, kind: 'ioc', ticks, lots } as const;
    this.#world.trading.submit({ agent: this, account: this.#account, ...terms });
  }
}
