// Records a market from its events and samples of its book: the mid per second, trades, order
// lifetimes, depth, and the deviation of a pair from its price through another asset.

import type { AgentMarket, Trading } from '../../agents/index.ts';
import type { EventFrame } from '../../core/messages/index.ts';
import type { MarketId } from '../../core/money/index.ts';

export interface RecordedTrade {
  readonly timeMs: number;
  readonly price: number;
  readonly size: number;
  readonly isBuy: boolean;
  readonly takerOrder: number;
}

export interface RecordOptions {
  readonly market: AgentMarket;
  readonly id: MarketId;
  readonly trading: Trading;
  readonly startMs: number;
  /** Direct pair, and the two pairs whose product should equal it. */
  readonly parity?: readonly [AgentMarket, AgentMarket, AgentMarket] | undefined;
  /** Returns total open lots by distance from the mid, on demand. */
  depth?(): readonly number[];
}

const SECOND_MS = 1_000;
const DEPTH_EVERY_S = 300;
const LIFE_STEPS = 100;

export class MarketRecord {
  readonly startMs: number;
  readonly mids: number[] = [];
  readonly spreadsBps: number[] = [];
  readonly parityBps: number[] = [];
  readonly depths: (readonly number[])[] = [];
  readonly trades: RecordedTrade[] = [];
  /** Histogram of lifetimes in milliseconds, with 100 logarithmic steps per decade. */
  readonly lives = new Float64Array(10 * LIFE_STEPS);
  commands = 0;
  cancelled = 0;
  filled = 0;
  refused = 0;
  readonly #options: RecordOptions;
  readonly #placed = new Map<number, number>();
  #nextMs: number;

  constructor(options: RecordOptions) {
    this.#options = options;
    this.startMs = options.startMs;
    this.#nextMs = options.startMs + SECOND_MS;
  }

  onFrame({ events, timeMs }: EventFrame): void {
    const { id, market } = this.#options;
    while (this.#nextMs <= timeMs) this.#look();
    for (const event of events) {
      if (event.kind === 'OrderPlaced') {
        if (event.market === id && event.timeInForce === 'GTC') {
          this.#placed.set(event.order, timeMs);
        }
      } else if (event.kind === 'OrderClosed') {
        if (event.market === id) this.#close(event.order, event.reason === 'filled', timeMs);
      } else if (event.kind === 'TradeExecuted') {
        if (event.market !== id) continue;
        this.trades.push({
          timeMs,
          price: event.priceTicks * market.tick,
          size: event.sizeLots * market.lot,
          isBuy: event.takerSide === 'buy',
          takerOrder: event.takerOrder,
        });
      } else if (event.kind === 'CommandRefused') {
        if (event.refusal === 'available_balance_too_small') this.refused += 1;
      }
    }
  }

  /** Returns the lifetime in seconds below which this share of the orders has ended. */
  lifeSeconds(share: number): number {
    let left = share * (this.cancelled + this.filled);
    for (const [at, count] of this.lives.entries()) {
      left -= count;
      if (left <= 0) return 10 ** (at / LIFE_STEPS) / SECOND_MS;
    }
    return Number.POSITIVE_INFINITY;
  }

  #close(order: number, isFilled: boolean, timeMs: number): void {
    const placedMs = this.#placed.get(order);
    if (placedMs === undefined) return;
    this.#placed.delete(order);
    if (isFilled) this.filled += 1;
    else this.cancelled += 1;
    const decade = Math.log10(Math.max(timeMs - placedMs, 1));
    this.lives[Math.min(Math.floor(decade * LIFE_STEPS), this.lives.length - 1)] += 1;
  }

  #look(): void {
    const { market, parity, startMs, trading } = this.#options;
    this.#nextMs += SECOND_MS;
    const mid = midAt(trading, market);
    const last = this.mids.at(-1);
    if (mid === undefined) {
      if (last !== undefined) this.mids.push(last);
      return;
    }
    this.mids.push(mid.price);
    this.spreadsBps.push(mid.spreadBps);
    if (parity !== undefined) {
      const [direct, first, second] = parity.map((one) => midAt(trading, one)?.price);
      if (direct !== undefined && first !== undefined && second !== undefined) {
        this.parityBps.push(Math.abs(Math.log(direct / (first * second))) * 1e4);
      }
    }
    const seconds = Math.round((this.#nextMs - startMs) / SECOND_MS);
    if (seconds % DEPTH_EVERY_S === 0) this.depths.push(this.#options.depth?.() ?? []);
  }
}

function midAt(
  trading: Trading,
  market: AgentMarket,
): { price: number; spreadBps: number } | undefined {
  const { askTicks, bidTicks } = trading.top(market);
  if (askTicks === 0 || bidTicks === 0) return undefined;
  const middle = (askTicks + bidTicks) / 2;
  return { price: middle * market.tick, spreadBps: ((askTicks - bidTicks) / middle) * 1e4 };
}
