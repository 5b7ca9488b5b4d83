// The newest candles of one market and one resolution, in order of time, moved on by the feed. It
// knows from when on it has them all, and notices when some are missing before what the feed says.

import type { ChartCandle } from './chart-candle.ts';

export interface CandleRange {
  /** Of the starts of candles; both ends belong to it. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly limit: number;
  /** Which ones, when there are more of them than the limit. */
  readonly keep: 'first' | 'last';
}

// So many more are kept before the oldest are dropped, so that dropping costs little.
const SLACK = 256;

export class CandleWindow {
  readonly #candlesMax: number;
  #candles: ChartCandle[];
  /** All candles that begin here or later are in it. */
  #fromMs: number;

  /** The newest that there are, oldest first; fewer than `candlesMax` are all that there are. */
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

  /** What of the range is here, which is all of it when it is covered. */
  read(range: CandleRange): ChartCandle[] {
    return cut(this.#candles, range);
  }

  /**
   * Takes in the last two candles that the feed has; one alone is the first that there ever was.
   * False when candles between are missing here: then nothing is taken in.
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
 * Changes `candles`. All of `latest` but the newest are complete; that one only counts when nothing
 * newer is known, because tables may be ahead of the feed.
 */
export function withLatest(candles: ChartCandle[], latest: readonly ChartCandle[]): ChartCandle[] {
  latest.forEach((candle, at) => {
    const newest = candles.at(-1);
    if (newest === undefined || candle.startMs > newest.startMs) candles.push(candle);
    else if (at < latest.length - 1 || candle.startMs === newest.startMs) replace(candles, candle);
  });
  return candles;
}

/** The part of candles in order of time that lies in the range. */
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

/** How many candles begin at the time or before. */
function indexAfter(candles: readonly ChartCandle[], timeMs: number): number {
  let [low, high] = [0, candles.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (candles[middle].startMs <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
