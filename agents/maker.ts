// A market maker after Avellaneda and Stoikov: quotes levels on both sides of a price that leans
// against its position, wider when prices move more. It replaces a quote only when it is off.

import { type AgentMarket, BPS, lotsOf, type Side, ticksAt } from './agent-market.ts';
import type { RandomStream } from './random-stream.ts';
import type { Account, Agent } from './trading.ts';
import { midOf, randomFor, type World } from './world.ts';

export interface MakerPlan {
  /** The age of its view of the fair value. */
  readonly delayMs: number;
  /** Multiplies its distance from the price. */
  readonly width: number;
  readonly levels: number;
  readonly wakeMs: number;
  /** The size of its first level, in USDT; three times. */
  readonly baseUsdt: number;
}

interface Quote {
  order: number;
  ticks: number;
}

const TRUST_IN_FAIR = 0.8;
const TRUST_IN_PANIC = 0.1;
/** The makers that stay in a crash offer little. */
const SIZE_IN_PANIC = 0.15;
const FAST_MS = 500;
const POSITION_MAX_BASES = 25;
/** In a crash they buy more than usual, at lower and lower prices. */
const PANIC_BASES = 100;
const WITHDRAWN_FROM = 0.98;
const VARIANCE_MEMORY_S = 60;
const NONE = 0;

export class Maker implements Agent {
  readonly name: string;
  readonly #world: World;
  readonly #market: AgentMarket;
  readonly #account: Account;
  readonly #plan: MakerPlan;
  readonly #random: RandomStream;
  readonly #wakes: RandomStream;
  readonly #quotes: Record<Side, Quote[]>;
  readonly #sideOf = new Map<number, Quote>();
  #lastFair = 0;
  #lastMs = 0;
  /** Variance of a second, in square basis points. */
  #variance = 0.5;
  /** Three times the size of the first level, in USDT. */
  #size = 0;

  constructor(world: World, market: AgentMarket, account: Account, plan: MakerPlan) {
    this.name = account.name;
    this.#world = world;
    this.#market = market;
    this.#account = account;
    this.#plan = plan;
    this.#random = randomFor(world, this.name, 'quotes');
    this.#wakes = randomFor(world, this.name, 'wakes');
    const empty = () => Array.from({ length: plan.levels }, () => ({ order: NONE, ticks: 0 }));
    this.#quotes = { buy: empty(), sell: empty() };
  }

  wake(nowMs: number): number {
    const { conditions, pace } = this.#world;
    const isAway = this.#plan.delayMs < FAST_MS && conditions.isPanic(this.#market.symbol, nowMs);
    if (isAway) this.#withdraw();
    else this.#quote(nowMs);
    const meanMs = this.#plan.wakeMs / pace.makers / conditions.makerSpeed;
    return nowMs + 1 + this.#wakes.exponential(meanMs);
  }

  onClosed(order: number): void {
    const quote = this.#sideOf.get(order);
    if (quote === undefined) return;
    this.#sideOf.delete(order);
    if (quote.order === order) quote.order = NONE;
  }

  #quote(nowMs: number): void {
    const { conditions, fair } = this.#world;
    const market = this.#market;
    const { base, quote, symbol } = market;
    const seen = fair.price(base, quote, this.#plan.delayMs);
    this.#learn(seen, nowMs);
    const mid = midOf(this.#world, market);
    const isPanic = conditions.isPanic(symbol, nowMs);
    const trust = isPanic ? TRUST_IN_PANIC : TRUST_IN_FAIR;
    const noise = 0.15 * BPS * this.#random.normal();
    const price = (trust * seen + (1 - trust) * mid) * (1 + noise);
    const half = this.#plan.width * (market.halfBps + 0.9 * Math.sqrt(this.#variance));
    const skew = this.#skew(price, isPanic ? PANIC_BASES : POSITION_MAX_BASES);
    const reservation = price * (1 - skew * (1.2 * half + 1.5) * BPS);
    this.#size = this.#plan.baseUsdt * (isPanic ? SIZE_IN_PANIC : 1);
    this.#quoteSide('buy', reservation, half, skew > WITHDRAWN_FROM);
    this.#quoteSide('sell', reservation, half, skew < -WITHDRAWN_FROM);
  }

  /** Its position beyond its start, from -1 to 1. */
  #skew(price: number, basesMax: number): number {
    const { base, quote } = this.#market;
    const position = (this.#account.amounts[base] - this.#account.start[base]) * price;
    const usdt = position * this.#world.fair.price(quote, 'usdt');
    const most = basesMax * this.#plan.baseUsdt;
    return Math.max(-1, Math.min(1, usdt / most));
  }

  #learn(seen: number, nowMs: number): void {
    const seconds = (nowMs - this.#lastMs) / 1_000;
    if (this.#lastMs > 0 && seconds > 0) {
      const bps = Math.log(seen / this.#lastFair) / BPS;
      const weight = Math.min(seconds / VARIANCE_MEMORY_S, 0.5);
      this.#variance += weight * (Math.min((bps * bps) / seconds, 100) - this.#variance);
    }
    this.#lastFair = seen;
    this.#lastMs = nowMs;
  }

  #quoteSide(side: Side, reservation: number, half: number, isWithdrawn: boolean): void {
    const { conditions, pace, trading } = this.#world;
    const market = this.#market;
    const sign = side === 'buy' ? -1 : 1;
    const quotes = this.#quotes[side];
    const slack = half * BPS * reservation * pace.tolerance * conditions.toleranceFactor;
    const top = trading.top(market);
    const levels = Math.min(quotes.length, pace.levels);
    for (let level = 0; level < levels; level += 1) {
      const quote = quotes[level];
      const distance = half * (1 + 0.7 * level ** 1.35) * BPS;
      const wanted = ticksAt(market, reservation * (1 + sign * distance), side);
      const offBy = Math.abs(quote.ticks - wanted) * market.tick;
      if (quote.order !== NONE && !isWithdrawn && offBy <= (0.25 + 0.06 * level) * slack) continue;
      if (quote.order !== NONE) this.#cancel(quote);
      if (isWithdrawn) continue;
      const limit = side === 'buy' ? top.askTicks - 1 : top.bidTicks + 1;
      const isFree = side === 'buy' ? top.askTicks === 0 || wanted <= limit : wanted >= limit;
      const ticks = isFree ? wanted : limit;
      if (ticks < 1) continue;
      this.#place(side, level, ticks);
    }
  }

  #place(side: Side, level: number, ticks: number): void {
    const { fair, trading } = this.#world;
    const market = this.#market;
    const usdt = (this.#size * (level + 1) ** 0.8 * this.#random.logNormal(0.5)) / 3;
    const size = usdt / fair.price(market.quote, 'usdt') / (ticks * market.tick);
    const lots = Math.max(lotsOf(market, size), market.minLots);
    const [agent, account] = [this, this.#account];
    const order = trading.submit({ agent, account, market, side, kind: 'post-only', ticks, lots });
    const quote = this.#quotes[side][level];
    quote.order = order;
    quote.ticks = ticks;
    this.#sideOf.set(order, quote);
  }

  #cancel(quote: Quote): void {
    this.#world.trading.cancel(quote.order);
    this.#sideOf.delete(quote.order);
    quote.order = NONE;
  }

  #withdraw(): void {
    for (const quotes of Object.values(this.#quotes)) {
      for (const quote of quotes) if (quote.order !== NONE) this.#cancel(quote);
    }
  }
}
