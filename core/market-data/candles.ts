// Candles from trades in time order. A period without trades has no candle; readers decide how to
// show the gap.

import type { Ticks, TimeMs } from '../money/index.ts';
import { assert } from '../structures/index.ts';
import type { MarketTrade } from './market-trade.ts';
import { candleStartMs, type Resolution } from './resolutions.ts';

export interface Candle {
  readonly startMs: TimeMs;
  readonly openTicks: Ticks;
  readonly highTicks: Ticks;
  readonly lowTicks: Ticks;
  readonly closeTicks: Ticks;
  /** A sum of lots may exceed the safe integers. These three exclude house trades. */
  readonly volumeLots: bigint;
  readonly quoteVolumeAtoms: bigint;
  readonly tradeCount: number;
}

/** All candles of the trades, which must be in time order. */
export function candlesOf(resolution: Resolution, trades: Iterable<MarketTrade>): Candle[] {
  return group(resolution, trades, (trade) => trade.timeMs, candleOfTrade);
}

/** Merges shorter candles in time order into longer ones, whose boundaries they must not cross. */
export function mergeCandles(resolution: Resolution, candles: Iterable<Candle>): Candle[] {
  return group(
    resolution,
    candles,
    (candle) => candle.startMs,
    (candle) => candle,
  );
}

/** The candles of the current period and of the one before it, updated by each trade. */
export class CandleSeries {
  readonly resolution: Resolution;
  #current: Candle | undefined;
  #previous: Candle | undefined;

  constructor(resolution: Resolution, saved: readonly Candle[] = []) {
    this.resolution = resolution;
    this.#current = saved.at(-1);
    this.#previous = saved.at(-2);
  }

  /** The last two candles, oldest first; fewer if there are fewer. */
  get last(): readonly Candle[] {
    if (this.#current === undefined) return [];
    return this.#previous === undefined ? [this.#current] : [this.#previous, this.#current];
  }

  add(trade: MarketTrade): void {
    const startMs = candleStartMs(this.resolution, trade.timeMs);
    const added = candleOfTrade(trade, startMs);
    if (this.#current?.startMs === startMs) {
      this.#current = joined(this.#current, added);
      return;
    }
    assert(startMs > (this.#current?.startMs ?? -Infinity), 'trades come in order of time');
    this.#previous = this.#current;
    this.#current = added;
  }
}

/** `startMs` is the start of the trade's period. */
export function candleOfTrade(trade: MarketTrade, startMs: TimeMs): Candle {
  const { priceTicks } = trade;
  return {
    startMs,
    openTicks: priceTicks,
    highTicks: priceTicks,
    lowTicks: priceTicks,
    closeTicks: priceTicks,
    volumeLots: trade.house ? 0n : BigInt(trade.sizeLots),
    quoteVolumeAtoms: trade.house ? 0n : trade.quoteAtoms,
    tradeCount: trade.house ? 0 : 1,
  };
}

/** The first candle extended by later trades of the same period. */
export function joined(first: Candle, later: Candle): Candle {
  return {
    startMs: first.startMs,
    openTicks: first.openTicks,
    highTicks: Math.max(first.highTicks, later.highTicks) as Ticks,
    lowTicks: Math.min(first.lowTicks, later.lowTicks) as Ticks,
    closeTicks: later.closeTicks,
    volumeLots: first.volumeLots + later.volumeLots,
    quoteVolumeAtoms: first.quoteVolumeAtoms + later.quoteVolumeAtoms,
    tradeCount: first.tradeCount + later.tradeCount,
  };
}

function group<Item>(
  resolution: Resolution,
  items: Iterable<Item>,
  timeOf: (item: Item) => TimeMs,
  candleOf: (item: Item, startMs: TimeMs) => Candle,
): Candle[] {
  const candles: Candle[] = [];
  for (const item of items) {
    const startMs = candleStartMs(resolution, timeOf(item));
    const added = { ...candleOf(item, startMs), startMs };
    const last = candles.at(-1);
    if (last?.startMs === startMs) {
      candles[candles.length - 1] = joined(last, added);
      continue;
    }
    assert(startMs > (last?.startMs ?? -Infinity), 'candles are made in order of time');
    candles.push(added);
  }
  return candles;
}
