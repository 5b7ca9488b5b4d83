// Newest candles of one market and one resolution, in order of time, updated by the feed. Tracks
// the time from which it is complete, and detects missed candles.

import type { ChartCandle } from './chart-candle.ts';

export interface CandleRange {
  /** Start times of candles; both ends are inclusive. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly limit: number;
  /** Which candles to keep if there are more than the limit. */
  readonly keep: 'first' | 'last';
}

// This many more are kept before the oldest are dropped, to make dropping cheap.
const SLACK = 256;

export class CandleWindow {
  readonly #candlesMax: number;
  #candles: ChartCandle[];
  /** The window has all candles that begin here or later. */
  #fromMs: number;

  /** Newest candles, oldest first; fewer than `candlesMax` means that there are no others. */
  constructor(newest: readonly ChartCandle[], candlesMax: number) {
    this.#candles = [...newest];
    this.#candlesMax = candlesMax;
    this.#fromMs = newest.length < candlesMax ? -Infinity : newest[0].startMs;
  }

  get count(): number {
    return this.#candles.length;
  }

  covers({ fromMs, keep, limit, toMs }: CandleRange): boolean {
    if (fromMs >= this.#fromMs) return true;
    return keep === 'last' && indexAfter(this.#candles, toMs) >= limit;
  }

  /** Returns the candles of the range that are here: all of them if the range is covered. */
  read(range: CandleRange): ChartCandle[] {
    return cut(this.#candles, range);
  }

  /**
   * Adds the feed's last two candles; a single one is the market's first candle. Returns false, and
   * adds nothing, if candles before them are missing here.
   */
  moveOn(latest: readonly ChartCandle[]): boolean {
    const newestMs = this.#candles.at(-1)?.startMs ?? -Infinity;
    if (latest.length > 1 && newestMs < latest[0].startMs) return false;
    this.#candles = withLatest(this.#candles, latest);
    const excess = this.#candles.length - this.#candlesMax;
    if (excess > SLACK) {
      this.#candles = this.#candles.slice(excess);
      this.#fromMs = this.#candles[0].startMs;
    }
    return true;
  }
}

/**
 * Changes `candles`. All of `latest` except the newest are complete; the newest counts only if
 * nothing newer is known, because tables can be ahead of the feed.
 */
export function withLatest(candles: ChartCandle[], latest: readonly ChartCandle[]): ChartCandle[] {
  latest.forEach((candle, at) => {
    const newest = candles.at(-1);
    if (newest === undefined || candle.startMs > newest.startMs) candles.push(candle);
    else if (at < latest.length - 1 || candle.startMs === newest.startMs) replace(candles, candle);
  });
  return candles;
}

/** Returns the candles in the range; `candles` are in order of time. */
export function cut(candles: readonly ChartCandle[], range: CandleRange): ChartCandle[] {
  const first = indexAfter(candles, range.fromMs - 1);
  const end = indexAfter(candles, range.toMs);
  return range.keep === 'first'
    ? candles.slice(first, Math.min(end, first + range.limit))
    : candles.slice(Math.max(first, end - range.limit), Math.max(first, end));
}

function replace(candles: ChartCandle[], candle: ChartCandle): void {
  const at = indexAfter(candles, candle.startMs) - 1;
  if (candles[at]?.startMs === candle.startMs) candles[at] = candle;
}

/** Returns the number of candles that begin at or before the time. */
function indexAfter(candles: readonly ChartCandle[], timeMs: number): number {
  let [low, high] = [0, candles.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (candles[middle].startMs <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
