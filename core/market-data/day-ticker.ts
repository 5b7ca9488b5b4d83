// A market's last day, kept as one candle for each minute with a trade. The window is the current
// minute and the 1,439 before it, so at most 1,440 candles are kept.

import type { Ticks, TimeMs } from '../money/index.ts';
import { assert } from '../structures/index.ts';
import { type Candle, candleOfTrade, joined, mergeCandles } from './candles.ts';
import type { MarketTrade } from './market-trade.ts';
import { candleStartMs, MINUTE_MS } from './resolutions.ts';

export const TICKER_MINUTES = 1_440;

export interface Ticker {
  /**
   * The open of the first trade in the window; without a trade in it, all four are the last price.
   */
  readonly openTicks: Ticks;
  readonly highTicks: Ticks;
  readonly lowTicks: Ticks;
  readonly lastTicks: Ticks;
  readonly volumeLots: bigint;
  readonly quoteVolumeAtoms: bigint;
  readonly tradeCount: number;
}

export class DayTicker {
  /** Minutes with trades, oldest first; those before `#from` have left the window. */
  #minutes: Candle[];
  #from = 0;
  #lastTicks: Ticks;
  #volumeLots = 0n;
  #quoteVolumeAtoms = 0n;
  #tradeCount = 0;

  constructor(saved: readonly Candle[] = [], lastTicks = 0 as Ticks) {
    this.#minutes = [...saved];
    this.#lastTicks = lastTicks;
    for (const minute of saved) this.#count(minute);
  }

  /** The state from which it can be restored. */
  get minutes(): readonly Candle[] {
    return this.#minutes.slice(this.#from);
  }

  /** 0 before the first trade. */
  get lastTicks(): Ticks {
    return this.#lastTicks;
  }

  add(trade: MarketTrade): void {
    const startMs = candleStartMs('1m', trade.timeMs);
    const added = candleOfTrade(trade, startMs);
    this.#lastTicks = trade.priceTicks;
    this.moveTo(trade.timeMs);
    this.#count(added);
    const last = this.#minutes.at(-1);
    if (this.#minutes.length > this.#from && last?.startMs === startMs) {
      this.#minutes[this.#minutes.length - 1] = joined(last, added);
      return;
    }
    // The minute may exist and have left the window, if the window moved ahead of trades.
    assert(startMs >= (last?.startMs ?? -Infinity), 'trades come in order of time');
    this.#minutes.push(added);
  }

  /** Drops what lies before the window that ends with `timeMs`. True if that changed it. */
  moveTo(timeMs: TimeMs): boolean {
    const firstMs = candleStartMs('1m', timeMs) - (TICKER_MINUTES - 1) * MINUTE_MS;
    const before = this.#from;
    for (; this.#from < this.#minutes.length; this.#from += 1) {
      const minute = this.#minutes[this.#from];
      if (minute.startMs >= firstMs) break;
      this.#volumeLots -= minute.volumeLots;
      this.#quoteVolumeAtoms -= minute.quoteVolumeAtoms;
      this.#tradeCount -= minute.tradeCount;
    }
    const isChanged = this.#from > before;
    // The front is cut off rarely, so dropping is cheap.
    if (this.#from >= TICKER_MINUTES) {
      this.#minutes = this.#minutes.slice(this.#from);
      this.#from = 0;
    }
    return isChanged;
  }

  /** Ticker of the last window; undefined before the first trade. */
  get ticker(): Ticker | undefined {
    const lastTicks = this.#lastTicks;
    if (lastTicks === 0) return undefined;
    let [highTicks, lowTicks, openTicks] = [lastTicks, lastTicks, lastTicks];
    for (let at = this.#from; at < this.#minutes.length; at += 1) {
      const minute = this.#minutes[at];
      if (at === this.#from) openTicks = minute.openTicks;
      if (minute.highTicks > highTicks) highTicks = minute.highTicks;
      if (minute.lowTicks < lowTicks) lowTicks = minute.lowTicks;
    }
    return {
      openTicks,
      highTicks,
      lowTicks,
      lastTicks,
      volumeLots: this.#volumeLots,
      quoteVolumeAtoms: this.#quoteVolumeAtoms,
      tradeCount: this.#tradeCount,
    };
  }

  /** One candle for each hour of the window with a trade, at most 25, oldest first. */
  get hours(): readonly Candle[] {
    return mergeCandles('1h', this.minutes);
  }

  #count({ quoteVolumeAtoms, tradeCount, volumeLots }: Candle): void {
    this.#volumeLots += volumeLots;
    this.#quoteVolumeAtoms += quoteVolumeAtoms;
    this.#tradeCount += tradeCount;
  }
}
