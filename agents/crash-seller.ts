// The seller of a flash crash: sells in slices until the stated fall is reached, and then stops.
// Slices grow while the fall is behind its schedule, because a book answers like a cliff.

import type { AgentMarket } from './agent-market.ts';
import type { Account, Agent } from './trading.ts';
import { cappedTicks, lotsFor, midOf, type World } from './world.ts';

const SLICE_EVERY_MS = 250;
const SLICE_USDT = 3_600;
const SLICE_MAX_USDT = 20_000;
const GROWTH = 1.06;
/** The time in which the price is to fall. */
const FALLS_FOR_MS = 30_000;
const CAP_BPS = 60;

export class CrashSeller implements Agent {
  readonly name: string;
  readonly #world: World;
  readonly #market: AgentMarket;
  readonly #account: Account;
  #beganAt = 0;
  #beganMs = 0;
  #sliceUsdt = SLICE_USDT;

  constructor(world: World, market: AgentMarket, account: Account) {
    this.name = account.name;
    this.#world = world;
    this.#market = market;
    this.#account = account;
  }

  wake(nowMs: number): number {
    const { conditions } = this.#world;
    const market = this.#market;
    if (!conditions.isSelling(market.symbol, nowMs)) return nowMs + SLICE_EVERY_MS;
    const mid = midOf(this.#world, market);
    if (this.#beganAt === 0) {
      this.#beganAt = mid;
      this.#beganMs = nowMs;
    }
    const { fall } = conditions.crash!;
    if (mid <= this.#beganAt * (1 - fall)) {
      conditions.endSale();
      return nowMs + SLICE_EVERY_MS;
    }
    const { askTicks, bidTicks } = this.#world.trading.top(market);
    if (askTicks === 0 || bidTicks === 0) return nowMs + SLICE_EVERY_MS;
    const due = Math.min((nowMs - this.#beganMs) / FALLS_FOR_MS, 1) * fall;
    const isBehind = mid > this.#beganAt * (1 - due);
    const next = this.#sliceUsdt * (isBehind ? GROWTH : 1 / GROWTH);
    this.#sliceUsdt = Math.min(Math.max(next, SLICE_USDT), SLICE_MAX_USDT);
    const ticks = cappedTicks(this.#world, market, 'sell', CAP_BPS);
    const lots = lotsFor(this.#world, market, this.#sliceUsdt, mid);
    if (ticks > 0 && lots > 0) {
      const terms = { market, side: 'sell', kind: 'ioc', ticks, lots } as const;
      this.#world.trading.submit({ agent: this, account: this.#account, ...terms });
    }
    return nowMs + SLICE_EVERY_MS;
  }
}
