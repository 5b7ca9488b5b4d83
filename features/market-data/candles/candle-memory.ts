// Recent candles of each requested market and resolution, in memory: loaded from the tables once,
// then updated by the feed. Older candles are read from the tables. Memory is bounded.

import type { Resolution } from '../../../core/market-data/index.ts';
import type { MarketId } from '../../../core/money/index.ts';
import type { FeedChange, FeedKind, FeedValue } from '../../../infra/live-feed/index.ts';
import type { Clock } from '../../../infra/process/index.ts';
import { type CandleRange, CandleWindow, cut, withLatest } from './candle-window.ts';
import { type CandleUnits, type ChartCandle, candlesOfFeed } from './chart-candle.ts';

export interface ChartMarket extends CandleUnits {
  readonly market: MarketId;
  readonly symbol: string;
}

export interface CandleSource {
  /** Returns each market's candles in the range, oldest first, with one query. */
  read(asked: {
    readonly markets: readonly MarketId[];
    readonly resolution: Resolution;
    readonly range: CandleRange;
  }): Promise<ReadonlyMap<MarketId, readonly ChartCandle[]>>;
}

export interface CandleMemoryOptions {
  readonly source: CandleSource;
  readonly feed: { get(kind: FeedKind, symbol: string): FeedValue | undefined };
  readonly clock: Clock;
  /** Maximum candles kept per market and resolution. */
  readonly windowCandlesMax: number;
  /** Maximum candles kept in total; above it, the least recently used series are dropped. */
  readonly candlesMax: number;
}

/** A candle takes some 150 bytes. */
export const CANDLE_MEMORY_DEFAULTS = { windowCandlesMax: 1_500, candlesMax: 200_000 };

interface Kept {
  readonly units: CandleUnits;
  window: CandleWindow;
  /** The start of the feed's newest candle at the last check. */
  newest: string;
  /** Tables that lag behind the feed are not queried again before this time. */
  askAgainMs: number;
  isWhole: boolean;
}

const ASK_AGAIN_AFTER_MS = 1_000;
const KIND = 'candle.';

export class CandleMemory {
  readonly #options: CandleMemoryOptions;
  /** By resolution and symbol; the most recently used is last. */
  readonly #kept = new Map<string, Kept>();
  readonly #filling = new Map<string, Promise<void>>();
  readonly #latest = new WeakMap<FeedValue, readonly ChartCandle[]>();
  #count = 0;

  constructor(options: CandleMemoryOptions) {
    this.#options = options;
  }

  /** Number of candles in memory. */
  get count(): number {
    return this.#count;
  }

  /** In the order of the given markets. */
  async read<Market extends ChartMarket>(
    markets: readonly Market[],
    resolution: Resolution,
    range: CandleRange,
  ): Promise<Map<Market, readonly ChartCandle[]>> {
    await this.#fill(markets, resolution);
    const found = new Map<Market, readonly ChartCandle[]>();
    const older: Market[] = [];
    for (const market of markets) {
      const kept = this.#use(keyOf(resolution, market.symbol));
      const latest = this.#latestOf(market, resolution);
      if (kept?.window.covers(range) !== true) older.push(market);
      else if (kept.isWhole) found.set(market, kept.window.read(range));
      // The tables lag: the feed's candles follow after the gap.
      else found.set(market, cut(withLatest(kept.window.read(ANY_TIME), latest), range));
      if (!found.has(market)) found.set(market, []);
    }
    if (older.length > 0) await this.#readOlder(older, { resolution, range, found });
    return found;
  }

  /** Call it with every change of the feed. */
  onFeed({ kind, symbol, value }: FeedChange): void {
    if (!kind.startsWith(KIND)) return;
    const kept = this.#kept.get(keyOf(kind.slice(KIND.length), symbol));
    if (kept?.isWhole !== true) return;
    // Within one period only the newest candle changes, and it is read on request.
    const newest = newestOf(value.text);
    if (newest === kept.newest) return;
    this.#moveOn(kept, value);
    this.#forgetExcess();
  }

  async #fill(markets: readonly ChartMarket[], resolution: Resolution): Promise<void> {
    const missing: ChartMarket[] = [];
    const underWay = new Set<Promise<void>>();
    for (const market of markets) {
      const key = keyOf(resolution, market.symbol);
      const filling = this.#filling.get(key);
      if (filling !== undefined) underWay.add(filling);
      else if (this.#isToBeFilled(key, market, resolution)) missing.push(market);
    }
    if (missing.length > 0) underWay.add(this.#fillMissing(missing, resolution));
    if (underWay.size > 0) await Promise.all(underWay);
  }

  #isToBeFilled(key: string, market: ChartMarket, resolution: Resolution): boolean {
    const kept = this.#kept.get(key);
    if (kept === undefined) return true;
    const value = this.#options.feed.get(`${KIND}${resolution}`, market.symbol);
    if (kept.isWhole && value !== undefined) this.#moveOn(kept, value);
    return !kept.isWhole && this.#options.clock.elapsedMs() >= kept.askAgainMs;
  }

  #fillMissing(markets: readonly ChartMarket[], resolution: Resolution): Promise<void> {
    const keys = markets.map(({ symbol }) => keyOf(resolution, symbol));
    const filled = this.#fillNow(markets, resolution).finally(() => {
      for (const key of keys) this.#filling.delete(key);
    });
    for (const key of keys) this.#filling.set(key, filled);
    return filled;
  }

  async #fillNow(markets: readonly ChartMarket[], resolution: Resolution): Promise<void> {
    const { clock, feed, source, windowCandlesMax } = this.#options;
    const found = await source.read({
      markets: markets.map(({ market }) => market),
      resolution,
      range: { ...ANY_TIME, limit: windowCandlesMax },
    });
    for (const units of markets) {
      const key = keyOf(resolution, units.symbol);
      this.#forget(key);
      const window = new CandleWindow(found.get(units.market) ?? [], windowCandlesMax);
      const askAgainMs = clock.elapsedMs() + ASK_AGAIN_AFTER_MS;
      const kept: Kept = { units, window, newest: '', askAgainMs, isWhole: true };
      this.#kept.set(key, kept);
      this.#count += window.count;
      const value = feed.get(`${KIND}${resolution}`, units.symbol);
      if (value !== undefined) this.#moveOn(kept, value);
    }
    this.#forgetExcess();
  }

  async #readOlder<Market extends ChartMarket>(
    markets: readonly Market[],
    into: {
      readonly resolution: Resolution;
      readonly range: CandleRange;
      readonly found: Map<Market, readonly ChartCandle[]>;
    },
  ): Promise<void> {
    const { found, range, resolution } = into;
    const ids = markets.map(({ market }) => market);
    const read = await this.#options.source.read({ markets: ids, resolution, range });
    for (const market of markets) {
      const candles = [...(read.get(market.market) ?? [])];
      // A full window ends before the feed's candles or already has them.
      const isCut = range.keep === 'first' && candles.length >= range.limit;
      const latest = isCut ? [] : this.#latestOf(market, resolution);
      found.set(market, cut(withLatest(candles, latest), range));
    }
  }

  #moveOn(kept: Kept, value: FeedValue): void {
    const before = kept.window.count;
    kept.isWhole = kept.window.moveOn(this.#parsed(value, kept.units));
    kept.newest = newestOf(value.text);
    this.#count += kept.window.count - before;
  }

  #latestOf(market: ChartMarket, resolution: Resolution): readonly ChartCandle[] {
    const value = this.#options.feed.get(`${KIND}${resolution}`, market.symbol);
    return value === undefined ? [] : this.#parsed(value, market);
  }

  #parsed(value: FeedValue, units: CandleUnits): readonly ChartCandle[] {
    let candles = this.#latest.get(value);
    if (candles === undefined) {
      candles = candlesOfFeed(value.text, units);
      this.#latest.set(value, candles);
    }
    return candles;
  }

  #use(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  #forgetExcess(): void {
    for (const key of this.#kept.keys()) {
      if (this.#count <= this.#options.candlesMax) return;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    this.#count -= this.#kept.get(key)?.window.count ?? 0;
    this.#kept.delete(key);
  }
}

const ANY_TIME: CandleRange = {
  fromMs: -Infinity,
  toMs: Infinity,
  limit: Number.MAX_SAFE_INTEGER,
  keep: 'last',
};

function keyOf(resolution: string, symbol: string): string {
  return `${resolution} ${symbol}`;
}

const TIME_LENGTH = '{"time":"2026-01-01T00:00:00.000Z"'.length;

/** Start of the newest candle, with its time; '' if there is none. */
function newestOf(text: string): string {
  const at = text.lastIndexOf('{');
  return at < 0 ? '' : text.slice(at, at + TIME_LENGTH);
}
