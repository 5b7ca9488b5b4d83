// Decides when public data is sent: for a quiet market immediately, for a busy one at its interval,
// always in its newest state. Must send nothing before the publisher has caught up with the log.

import {
  type MarketChange,
  type MarketState,
  MINUTE_MS,
  priceList,
} from '../../core/market-data/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { BOOK_LEVELS, type FeedSubjects } from '../../infra/live-feed/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';
import type { Feed } from './feed-port.ts';
import type { FeedState } from './feed-state.ts';
import { LastValues } from './last-values.ts';
import {
  auctionValue,
  bookValue,
  candleValues,
  minichartValue,
  priceValue,
  tickerValue,
  tradesValue,
} from './public-json.ts';

export interface PublicFeedOptions {
  readonly state: FeedState;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly subjects: FeedSubjects;
  /** Minimum interval for book, trades and ticker; depth, charts and prices have a longer one. */
  readonly everyMs: number;
  readonly depthEveryMs: number;
  readonly depthLevels: number;
  readonly retryMs: number;
  onStored(bytes: number): void;
}

/** Pending updates for one market. */
interface MarketSchedule {
  readonly market: MarketState;
  isBookDue: boolean;
  isTradesDue: boolean;
  isDepthDue: boolean;
  isChartDue: boolean;
  isAuctionDue: boolean;
  sentMs: number;
  depthSentMs: number;
}

export class PublicFeed {
  readonly #options: PublicFeedOptions;
  readonly #values: LastValues;
  readonly #schedules = new Map<number, MarketSchedule>();
  readonly #waiting = new Set<MarketSchedule>();
  /** Prices depend on trades in any market. */
  #arePricesDue = false;
  #pricesSentMs = Number.NEGATIVE_INFINITY;
  #isOpen = false;
  #timer: Timer | undefined;
  #slowRun: Timer | undefined;
  #minute = 0;

  constructor(options: PublicFeedOptions) {
    this.#options = options;
    const { clock, feed, onStored, retryMs } = options;
    this.#values = new LastValues({ feed, clock, retryMs, onStored });
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0 && !this.#arePricesDue && this.#values.isIdle;
  }

  /** Called when the state has caught up. Sends everything once, and changes after that. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    for (const market of this.#options.state.data.markets.values()) {
      const schedule = this.#scheduleOf(market);
      schedule.isBookDue = schedule.isTradesDue = schedule.isDepthDue = schedule.isChartDue = true;
      schedule.isAuctionDue = true;
      this.#waiting.add(schedule);
    }
    this.#arePricesDue = true;
    this.#run();
  }

  changed(changes: Iterable<MarketChange>): void {
    if (!this.#isOpen) return;
    for (const { isBookChanged, isStatusChanged, market, newTrades } of changes) {
      const isNew = !this.#schedules.has(market.listed.market);
      const schedule = this.#scheduleOf(market);
      if (isBookChanged || isNew) schedule.isBookDue = schedule.isDepthDue = true;
      const isAuctionChanged = isStatusChanged || (isBookChanged && market.status === 'auction');
      if (isAuctionChanged || isNew) schedule.isAuctionDue = true;
      if (newTrades.length > 0 || isNew) {
        schedule.isTradesDue = schedule.isChartDue = this.#arePricesDue = true;
      }
      this.#waiting.add(schedule);
    }
    this.#run();
  }

  /**
   * Called periodically: ticker windows move with time, and the stream might have lost its values.
   */
  tick(): void {
    if (!this.#isOpen) return;
    const timeMs = this.#asOfMs();
    const minute = Math.floor(timeMs / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      for (const market of this.#options.state.data.markets.values()) {
        if (!market.day.moveTo(timeMs)) continue;
        const schedule = this.#scheduleOf(market);
        schedule.isTradesDue = schedule.isChartDue = true;
        this.#waiting.add(schedule);
      }
      this.#run();
    }
    this.#values.check();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#slowRun?.cancel();
    this.#isOpen = false;
  }

  #run(): void {
    this.#timer?.cancel();
    const { clock, depthEveryMs, everyMs, state } = this.#options;
    // In the middle of a frame a book can be crossed; the end of the frame runs this again.
    if (!state.position.isComplete) return;
    const nowMs = clock.elapsedMs();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const schedule of this.#waiting) {
      if (schedule.isBookDue || schedule.isTradesDue) {
        if (nowMs - schedule.sentMs >= everyMs) this.#send(schedule, nowMs);
        else nextMs = Math.min(nextMs, schedule.sentMs + everyMs);
      }
      if (isSlowDue(schedule)) {
        nextMs = Math.min(nextMs, schedule.depthSentMs + depthEveryMs);
      } else if (!schedule.isBookDue && !schedule.isTradesDue) this.#waiting.delete(schedule);
    }
    if (this.#arePricesDue) nextMs = Math.min(nextMs, this.#pricesSentMs + depthEveryMs);
    // Slow work is deferred until the books just written are flushed.
    if (nextMs <= nowMs) this.#slowRun ??= clock.soon(() => this.#runSlow());
    else if (nextMs < Number.POSITIVE_INFINITY) {
      this.#timer = clock.after(nextMs - nowMs, () => this.#run());
    }
  }

  #runSlow(): void {
    this.#slowRun = undefined;
    const { clock, depthEveryMs, state } = this.#options;
    if (!state.position.isComplete) return;
    const nowMs = clock.elapsedMs();
    for (const schedule of this.#waiting) {
      if (isSlowDue(schedule) && nowMs - schedule.depthSentMs >= depthEveryMs)
        this.#sendDepth(schedule, nowMs);
    }
    if (this.#arePricesDue && nowMs - this.#pricesSentMs >= depthEveryMs) this.#sendPrices(nowMs);
    this.#run();
  }

  #send(schedule: MarketSchedule, nowMs: number): void {
    const { state, subjects } = this.#options;
    const { market } = schedule;
    const { symbol } = market.listed;
    const { frame } = state.position;
    if (schedule.isBookDue) {
      const at = { levels: BOOK_LEVELS, timeMs: state.position.timeMs };
      this.#put(`${subjects.feed}.book.${symbol}`, bookValue(state.data, market, at), frame);
    }
    if (schedule.isTradesDue) {
      const timeMs = this.#asOfMs();
      market.day.moveTo(timeMs);
      this.#put(`${subjects.feed}.trades.${symbol}`, tradesValue(market), frame);
      this.#put(`${subjects.feed}.ticker.${symbol}`, tickerValue(market, timeMs), frame);
    }
    schedule.isBookDue = schedule.isTradesDue = false;
    schedule.sentMs = nowMs;
  }

  #sendDepth(schedule: MarketSchedule, nowMs: number): void {
    const { depthLevels: levels, state, subjects } = this.#options;
    const { market } = schedule;
    const { symbol } = market.listed;
    const { frame, timeMs } = state.position;
    if (schedule.isDepthDue) {
      const value = bookValue(state.data, market, { levels, timeMs });
      this.#put(`${subjects.feed}.depth.${symbol}`, value, frame);
    }
    if (schedule.isChartDue) {
      for (const [resolution, value] of candleValues(market)) {
        this.#put(`${subjects.feed}.candle.${resolution}.${symbol}`, value, frame);
      }
      this.#put(`${subjects.feed}.minichart.${symbol}`, minichartValue(market), frame);
    }
    if (schedule.isAuctionDue) {
      const value = auctionValue(state.data, market, timeMs);
      this.#put(`${subjects.feed}.auction.${symbol}`, value, frame);
    }
    schedule.isDepthDue = schedule.isChartDue = schedule.isAuctionDue = false;
    schedule.depthSentMs = nowMs;
  }

  #sendPrices(nowMs: number): void {
    const { state, subjects } = this.#options;
    const { frame, timeMs } = state.position;
    for (const found of priceList(state.data)) {
      this.#put(`${subjects.feed}.price.${found.symbol}`, priceValue(found, timeMs), frame);
    }
    this.#arePricesDue = false;
    this.#pricesSentMs = nowMs;
  }

  #put(subject: string, value: Parameters<LastValues['put']>[1], frame: number): void {
    this.#values.put(subject, value, frame);
  }

  /** The exchange's time advances even without events. */
  #asOfMs(): TimeMs {
    const { clock, state } = this.#options;
    return Math.max(state.position.timeMs, clock.nowMs()) as TimeMs;
  }

  #scheduleOf(market: MarketState): MarketSchedule {
    const { market: id } = market.listed;
    let schedule = this.#schedules.get(id);
    if (schedule === undefined) {
      const never = Number.NEGATIVE_INFINITY;
      schedule = {
        market,
        sentMs: never,
        depthSentMs: never,
        isBookDue: false,
        isTradesDue: false,
        isDepthDue: false,
        isChartDue: false,
        isAuctionDue: false,
      };
      this.#schedules.set(id, schedule);
    }
    return schedule;
  }
}

function isSlowDue({ isAuctionDue, isChartDue, isDepthDue }: MarketSchedule): boolean {
  return isDepthDue || isChartDue || isAuctionDue;
}
