// Runs agents on the real engine in virtual time: schedules wakes, sends orders as frames of
// commands, and delivers each frame's events to the agents. Without clock and network, one seed
// produces one log.

import {
  type AgentMarket,
  type AgentOrder,
  type Population,
  type Top,
  type Trading,
  WakeSchedule,
} from '../../agents/index.ts';
import type { Exchange } from '../../core/engine/index.ts';
import type {
  Command,
  CommandId,
  EventFrame,
  PlaceOrder,
  TradeExecuted,
} from '../../core/messages/index.ts';
import type {
  KeyId,
  Lots,
  MarketId,
  OrderNumber,
  Ticks,
  TimeMs,
  UserId,
} from '../../core/money/index.ts';

export interface VirtualMarketOptions {
  readonly exchange: Exchange;
  readonly users: ReadonlyMap<string, UserId>;
  readonly markets: ReadonlyMap<string, MarketId>;
  /** Applies the next frame of the log. */
  apply(commands: readonly Command[], timeMs: TimeMs): EventFrame;
  /** Wakes within this many milliseconds share a frame; with 0, each has a separate frame. */
  readonly frameMs?: number;
  /** Source of the command IDs. */
  readonly source?: number;
  readonly watch?: MarketWatch;
}

/** Receives every frame after the agents. */
export type MarketWatch = (events: EventFrame) => void;

const SOURCE = 1;
const NOT_A_STOP = 0 as Ticks;

export class VirtualMarket implements Trading {
  readonly #options: VirtualMarketOptions;
  readonly #wakes = new WakeSchedule();
  readonly #open = new Map<number, AgentOrder>();
  readonly #trees = new Map<string, readonly number[]>();
  readonly #source: number;
  #frameMs: number;
  #commands: Command[] = [];
  #number = 0;

  constructor(options: VirtualMarketOptions) {
    this.#options = options;
    this.#source = options.source ?? SOURCE;
    this.#frameMs = options.frameMs ?? 0;
  }

  /** Commands sent so far. */
  get sent(): number {
    return this.#number;
  }

  /** Activates the population. Orders of an earlier one remain open. */
  begin(population: Population, startMs: number, frameMs = this.#frameMs): void {
    this.#frameMs = frameMs;
    this.#wakes.begin(population, startMs);
  }

  /** Runs all wakes before this time. */
  run(untilMs: number): void {
    const wakes = this.#wakes;
    while (wakes.nextMs < untilMs) {
      const frameEndsMs = Math.min(wakes.nextMs + this.#frameMs, untilMs);
      let nowMs = wakes.nextMs;
      do {
        nowMs = wakes.nextMs;
        wakes.wakeNext(nowMs);
      } while (wakes.nextMs < frameEndsMs);
      if (this.#commands.length > 0) this.#flush(Math.floor(nowMs));
    }
  }

  /** Cancels all open orders of the agents. */
  cancelAll(timeMs: number): void {
    for (const order of [...this.#open.keys()]) this.cancel(order);
    this.#flush(timeMs);
  }

  top({ symbol }: AgentMarket): Top {
    const { books } = this.#options.exchange;
    const [bidTree, askTree] = this.#treesOf(symbol);
    const [bids, asks] = [books.levels.best(bidTree), books.levels.best(askTree)];
    return {
      bidTicks: bids === 0 ? 0 : -books.levels.rank(bids),
      askTicks: asks === 0 ? 0 : books.levels.rank(asks),
      bidLots: this.#lotsAt(bids),
      askLots: this.#lotsAt(asks),
    };
  }

  submit(order: AgentOrder): number {
    // An order has the number of its command.
    const number = this.#options.exchange.commandsApplied + this.#commands.length + 1;
    this.#open.set(number, order);
    this.#commands.push(this.#placeOrder(order));
    return number;
  }

  cancel(order: number): void {
    const found = this.#open.get(order);
    if (found === undefined) return;
    const user = this.#userOf(found);
    const command = { order: order as OrderNumber, user, byOperator: false };
    this.#commands.push({ kind: 'CancelOrder', ...this.#id(), ...command });
  }

  #placeOrder(order: AgentOrder): PlaceOrder {
    const { kind, lots, market, side, ticks } = order;
    const isStop = kind === 'stop';
    return {
      kind: 'PlaceOrder',
      ...this.#id(),
      user: this.#userOf(order),
      key: 0 as KeyId,
      market: this.#options.markets.get(market.symbol)!,
      side,
      type: isStop ? 'market' : 'limit',
      timeInForce: isStop || kind === 'ioc' ? 'IOC' : 'GTC',
      selfTrade: 'cancel_newest',
      postOnly: kind === 'post-only',
      priceTicks: (isStop ? 0 : ticks) as Ticks,
      sizeLots: lots as Lots,
      stopTicks: isStop ? (ticks as Ticks) : NOT_A_STOP,
      clientOrderId: '',
      note: '',
      trigger: 'stop',
      linkedOrder: 0 as OrderNumber,
      expiresMs: 0 as TimeMs,
    };
  }

  #id(): CommandId {
    this.#number += 1;
    return { source: this.#source, number: this.#number };
  }

  #userOf({ account }: AgentOrder): UserId {
    return this.#options.users.get(account.name)!;
  }

  #treesOf(symbol: string): readonly number[] {
    const known = this.#trees.get(symbol);
    if (known !== undefined) return known;
    const { exchange, markets } = this.#options;
    const trees = exchange.books.treesOf(markets.get(symbol)!);
    this.#trees.set(symbol, trees);
    return trees;
  }

  #lotsAt(level: number): number {
    if (level === 0) return 0;
    const { levels, orders } = this.#options.exchange.books;
    let lots = 0;
    for (let order = levels.first(level); order !== 0; order = orders.behind(order)) {
      lots += orders.remainingLots(order);
    }
    return lots;
  }

  #flush(timeMs: number): void {
    const commands = this.#commands;
    this.#commands = [];
    const frame = this.#options.apply(commands, timeMs as TimeMs);
    for (const event of frame.events) {
      if (event.kind === 'TradeExecuted') {
        this.#fill(event, event.makerOrder);
        this.#fill(event, event.takerOrder);
      } else if (event.kind === 'OrderClosed') {
        this.#close(event.order);
      } else if (event.kind === 'CommandRefused') {
        this.#close(event.command);
      }
    }
    this.#options.watch?.(frame);
  }

  #fill({ priceTicks, sizeLots, takerOrder, takerSide }: TradeExecuted, order: number): void {
    const found = this.#open.get(order);
    if (found === undefined) return;
    const isTaker = order === takerOrder;
    const side = isTaker === (takerSide === 'buy') ? 'buy' : 'sell';
    found.account.trade(found.market, { side, ticks: priceTicks, lots: sizeLots });
  }

  #close(order: number): void {
    const found = this.#open.get(order);
    if (found === undefined) return;
    this.#open.delete(order);
    found.agent.onClosed?.(order);
  }
}
