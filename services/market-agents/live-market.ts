// Runs agents on a running exchange through its public API: the agents' port, a loop that wakes
// them on the wall clock, and the dial.

import {
  type Account,
  type AgentMarket,
  type AgentOrder,
  type AssetPrices,
  createPopulation,
  FairValue,
  type Mode,
  type Pace,
  type Population,
  paceOf,
  pathOf,
  type Top,
  type Trading,
  WakeSchedule,
} from '../../agents/index.ts';
import { RialtoClient } from '../../client/index.ts';
import { AgentAccount, type PlaceOutcome } from './agent-account.ts';
import type { Dial } from './dial-file.ts';
import type { AgentKeys } from './keys-file.ts';
import { LiveBooks } from './live-books.ts';
import { OrderRate } from './order-rate.ts';

export interface LiveMarketOptions {
  readonly url: string;
  readonly seed: number;
  readonly keys: AgentKeys;
  readonly markets: readonly AgentMarket[];
  readonly accounts: readonly Account[];
  /** Returns the current dial; called every second. */
  dial(): Dial;
  readonly watcher: LiveMarketWatcher;
  /** Agents pause while this many requests have no response. */
  readonly underWayMax?: number;
  /** Exact limit for measurements: agents are delayed, and bursts are cut. */
  ordersPerSecondMax?(): number;
}

export interface LiveMarketWatcher {
  answered(outcome: PlaceOutcome, tookMs: number): void;
  cancelled(): void;
  began(mode: Mode): void;
  fault(fault: unknown): void;
}

const LOOK_EVERY_MS = 1_000;
const UNDER_WAY_MAX = 64;
const CRASH_AFTER_MS = 10_000;
const OPENED_AT_ONCE = 8;
const TAKERS_MIN = 1.5;

export class LiveMarket implements Trading {
  readonly #options: LiveMarketOptions;
  readonly #books: LiveBooks;
  readonly #accounts = new Map<string, AgentAccount>();
  readonly #orders = new Map<number, AgentOrder>();
  readonly #placing = new Map<number, Promise<unknown>>();
  readonly #wakes = new WakeSchedule();
  readonly #rate = new OrderRate();
  #number = 0;
  #sentBefore = 0;
  #sent = 0;
  #underWay = 0;
  /** Number of orders that can be sent now, if they are limited. */
  #allowance = 0;
  #allowedMs = 0;
  #lookedMs = 0;
  #population: Population | undefined;
  #mode: Mode | undefined;
  #fair: FairValue | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: LiveMarketOptions) {
    const { accounts, keys, markets, url, watcher } = options;
    this.#options = options;
    this.#books = new LiveBooks(url, markets, (fault) => watcher.fault(fault));
    const prefix = `agents-${Date.now().toString(36)}-`;
    for (const account of accounts) {
      const key = keys.get(account.name);
      if (key === undefined) throw new RangeError(`the keys lack the account '${account.name}'`);
      const connection = new AgentAccount({
        url,
        key,
        account,
        prefix,
        onClosed: (order) => this.#close(order),
        onFault: (fault) => watcher.fault(fault),
      });
      this.#accounts.set(account.name, connection);
    }
  }

  /** Resolves when the agents trade. */
  async start(): Promise<void> {
    const { seed, url } = this.#options;
    const waiting = [...this.#accounts.values()];
    const next = async (): Promise<void> => {
      for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) await one.open();
    };
    await Promise.all(Array.from({ length: OPENED_AT_ONCE }, next));
    const fromMs = Date.now();
    this.#fair = new FairValue({ seed: seed + fromMs, fromMs, prices: await readPrices(url) });
    this.#lookedMs = fromMs;
    this.#look();
    this.#tick();
  }

  /** True if the books and at least half of the accounts are connected. */
  get isLive(): boolean {
    const live = [...this.#accounts.values()].filter((one) => one.isLive).length;
    return this.#books.areLive && live * 2 >= this.#accounts.size;
  }

  get openOrders(): number {
    return this.#orders.size;
  }

  /** Cancels all open orders, as far as the exchange responds. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#cancelAll();
    for (const one of this.#accounts.values()) one.close();
    this.#books.close();
  }

  top(market: AgentMarket): Top {
    return this.#books.top(market);
  }

  submit(order: AgentOrder): number {
    this.#number += 1;
    const number = this.#number;
    this.#orders.set(number, order);
    this.#sent += 1;
    this.#allowance -= 1;
    const beganMs = performance.now();
    this.#underWay += 1;
    const placed = this.#connectionOf(order)
      .place(number, order)
      .then((outcome) => this.#options.watcher.answered(outcome, performance.now() - beganMs))
      .finally(() => {
        this.#underWay -= 1;
        this.#placing.delete(number);
      });
    this.#placing.set(number, placed);
    return number;
  }

  cancel(number: number): void {
    void this.#cancel(number);
  }

  async #cancel(number: number): Promise<void> {
    const order = this.#orders.get(number);
    if (order === undefined) return;
    this.#underWay += 1;
    try {
      await this.#placing.get(number);
      if (!this.#orders.has(number)) return;
      this.#options.watcher.cancelled();
      await this.#connectionOf(order).cancel(number);
    } finally {
      this.#underWay -= 1;
    }
  }

  async #cancelAll(): Promise<void> {
    await Promise.allSettled([...this.#orders.keys()].map((number) => this.#cancel(number)));
  }

  #connectionOf({ account }: AgentOrder): AgentAccount {
    return this.#accounts.get(account.name)!;
  }

  #close(number: number): void {
    const order = this.#orders.get(number);
    if (order === undefined) return;
    this.#orders.delete(number);
    order.agent.onClosed?.(number);
  }

  /** Wakes all agents that are due, unless the exchange is behind with its responses. */
  #tick(): void {
    if (this.#isStopped) return;
    const { underWayMax = UNDER_WAY_MAX } = this.#options;
    const nowMs = Date.now();
    if (nowMs - this.#lookedMs >= LOOK_EVERY_MS) this.#look();
    const isLive = this.#books.areLive;
    this.#allow(nowMs);
    const mayAct = () => this.#underWay < underWayMax && this.#allowance > 0;
    while (isLive && this.#wakes.nextMs <= nowMs && mayAct()) {
      this.#wakes.wakeNext(nowMs);
    }
    const waitMs = Math.min(Math.max(this.#wakes.nextMs - nowMs, 1), LOOK_EVERY_MS);
    this.#timer = setTimeout(() => this.#tick(), isLive ? waitMs : LOOK_EVERY_MS);
  }

  #allow(nowMs: number): void {
    const limit = this.#options.ordersPerSecondMax?.();
    if (limit === undefined) {
      this.#allowance = Number.POSITIVE_INFINITY;
      return;
    }
    const earned = (limit * Math.min(nowMs - this.#allowedMs, LOOK_EVERY_MS)) / 1_000;
    // At most a tenth of a second can be saved.
    this.#allowance = Math.min(this.#allowance + earned, Math.max(limit / 10, 1));
    this.#allowedMs = nowMs;
  }

  /** Applies the dial. */
  #look(): void {
    const nowMs = Date.now();
    const { mode, ordersPerSecond } = this.#options.dial();
    const seconds = (nowMs - this.#lookedMs) / 1_000;
    this.#rate.set(ordersPerSecond);
    if (seconds > 0) this.#rate.look((this.#sent - this.#sentBefore) / seconds);
    this.#sentBefore = this.#sent;
    this.#lookedMs = nowMs;
    if (mode !== this.#mode) this.#begin(mode, nowMs);
    this.#population!.world.pace = this.#pace();
  }

  /** However few orders, because a market without trades looks dead. */
  #pace(): Pace {
    const { rate } = this.#rate;
    return { ...paceOf(rate), takers: Math.max(rate, TAKERS_MIN) };
  }

  #begin(mode: Mode, startMs: number): void {
    const { accounts, markets, seed, watcher } = this.#options;
    void this.#cancelAll();
    const fair = this.#fair!;
    fair.advanceTo(startMs);
    const { prices } = fair;
    const path = { seed: seed + startMs, fromMs: startMs, prices, ...pathOf(mode) };
    this.#fair = new FairValue(path);
    this.#mode = mode;
    this.#population = createPopulation({
      seed: seed + startMs,
      fromMs: startMs,
      startMs,
      mode,
      markets,
      pace: this.#pace(),
      trading: this,
      accounts: new Map(accounts.map((account) => [account.name, account])),
      fair: this.#fair,
      crashAfterMs: CRASH_AFTER_MS,
    });
    this.#wakes.begin(this.#population, startMs);
    watcher.began(mode);
  }
}

/** Pair that provides each asset's price. */
const PAIRS = { btc: 'btc-usdt', eth: 'eth-usdt', rlt: 'rlt-usdt', eur: 'usdt-eur' };

/** Reads last prices, from which the fair value continues. Omits assets that have not traded. */
export async function readPrices(url: string): Promise<AssetPrices> {
  const tickers = await new RialtoClient({ url }).getTickers();
  const found = Object.entries(PAIRS).map(
    ([asset, pair]) => [asset, Number(tickers[pair]?.last ?? 0)] as const,
  );
  return Object.fromEntries(found.filter(([, price]) => price > 0));
}
