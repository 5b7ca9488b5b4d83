// The books of all markets: price-time priority, stops, ready queues. Decides which orders trade,
// at what price and in what order, and calls the MatchListener. No balances, fees or commands.

import {
  type AuctionLevel,
  type Lots,
  type MarketId,
  type Ticks,
  wordFromSafe,
} from '../money/index.ts';
import { NONE } from '../structures/index.ts';
import { Levels } from './levels.ts';
import {
  CANCEL_NEWEST,
  CANCEL_OLDEST,
  INCOMING,
  Orders,
  READY,
  RESTING,
  SELF_TRADE_OFF,
  WAITING,
} from './orders.ts';

// Four trees per market. The rank is the price or its negative: the best level ranks lowest.
const TREES = 4;
const BIDS = 0;
const ASKS = 1;
// Buy stops and sell take-profits wait for a rise, sell stops and buy take-profits for a fall.
const RISES = 2;
const FALLS = 3;

/** Why matching ended. After `met_nothing_more` the remainder can rest in the book. */
export type MatchEnd =
  | 'filled'
  | 'met_nothing_more'
  | 'self_trade_prevented'
  | 'fills_per_command_reached';

/** The lowest and the highest price of the trades of one match. */
export interface PriceRange {
  readonly lowestTicks: number;
  readonly highestTicks: number;
}

/** The engine's half of matching: called for every fill and every closed resting order. */
export interface MatchListener {
  /** Two orders trade. Called before either order's remaining size changes. */
  fill(maker: number, taker: number, priceTicks: Ticks, lots: Lots, isAuction: boolean): void;
  /** A resting order has left the book: filled, or canceled by self-trade prevention. */
  makerClosed(maker: number, reason: 'filled' | 'self_trade_prevented'): void;
}

/** The result of a walk: what an order would fill, computed without changing anything. */
export interface Walk {
  readonly lots: number;
  /** Sum of ticks × lots over the fills: the cost in units of tickLotAtoms. */
  readonly tickLots: bigint;
}

export interface WalkRequest {
  readonly market: number;
  readonly sells: boolean;
  readonly user: number;
  readonly selfTrade: number;
  readonly worstTicks: number;
  readonly lots: number;
  readonly fillsMax: number;
  readonly ownOrdersMax: number;
}

/** The result of a step of an uncrossing. */
export interface Uncrossed {
  /** Pairs of orders that met, and of those the ones that traded. */
  readonly steps: number;
  readonly fills: number;
  /** Whether no further pair accepts the price. */
  readonly isDone: boolean;
}

/** Limits on the work of one incoming order. */
export interface MatchLimits {
  readonly fillsPerCommandMax: number;
  readonly ownOrdersPerCommandMax: number;
}

export interface BooksCapacity {
  readonly ordersMax: number;
  readonly marketsMax: number;
  readonly usersMax: number;
}

export class Books {
  readonly orders: Orders;
  readonly levels: Levels;
  /** The group of each user slot; 0 for none. Users of one group never trade with each other. */
  groups: Float64Array;
  /** Orders visited in this frame: the work that the host bounds. Not part of the state. */
  visits = 0;
  #readyFirst: Int32Array;
  #readyLast: Int32Array;

  constructor(capacity: BooksCapacity) {
    this.orders = new Orders(capacity.ordersMax);
    this.levels = new Levels(capacity.ordersMax, (capacity.marketsMax + 1) * TREES);
    this.groups = new Float64Array(capacity.usersMax + 1);
    this.#readyFirst = new Int32Array(capacity.marketsMax + 1);
    this.#readyLast = new Int32Array(capacity.marketsMax + 1);
  }

  /** Raises the number of orders; all orders and levels keep their slots. */
  growOrders(ordersMax: number): void {
    this.orders.grow(ordersMax);
    this.levels.growLevels(ordersMax);
  }

  growMarkets(marketsMax: number): void {
    const [readyFirst, readyLast] = [this.#readyFirst, this.#readyLast];
    this.levels.growTrees((marketsMax + 1) * TREES);
    this.#readyFirst = new Int32Array(marketsMax + 1);
    this.#readyLast = new Int32Array(marketsMax + 1);
    this.#readyFirst.set(readyFirst);
    this.#readyLast.set(readyLast);
  }

  growUsers(usersMax: number): void {
    const { groups } = this;
    this.groups = new Float64Array(usersMax + 1);
    this.groups.set(groups);
  }

  /** The best price on the opposite side of an order, or 0. */
  bestOppositeTicks(market: number, sells: boolean): Ticks {
    const level = this.levels.best(market * TREES + (sells ? BIDS : ASKS));
    if (level === NONE) return 0 as Ticks;
    const rank = this.levels.rank(level);
    return (sells ? -rank : rank) as Ticks;
  }

  /** The first order at the best price of a side, or NONE. */
  bestOrder(market: number, sells: boolean): number {
    const level = this.levels.best(market * TREES + (sells ? ASKS : BIDS));
    return level === NONE ? NONE : this.levels.first(level);
  }

  isCrossed(market: number): boolean {
    const bid = this.bestOppositeTicks(market, true);
    const ask = this.bestOppositeTicks(market, false);
    return bid !== 0 && ask !== 0 && bid >= ask;
  }

  /** The levels that accept the best price of the other side, best first, with their sizes. */
  crossingLevels(market: number): { bids: AuctionLevel[]; asks: AuctionLevel[] } {
    const bid = this.bestOppositeTicks(market, true);
    const ask = this.bestOppositeTicks(market, false);
    if (bid === 0 || ask === 0) return { bids: [], asks: [] };
    const tree = market * TREES;
    return { bids: this.#levelsTo(tree + BIDS, -ask), asks: this.#levelsTo(tree + ASKS, bid) };
  }

  /**
   * One step of an uncrossing: the best buy and the best sell meet, at most `stepsMax` times, while
   * both accept the price. The order with the lower number is the maker.
   */
  uncross(market: number, priceTicks: Ticks, stepsMax: number, listener: MatchListener): Uncrossed {
    const orders = this.orders;
    let steps = 0;
    let fills = 0;
    let isDone = false;
    for (;;) {
      const buy = this.bestOrder(market, false);
      const sell = this.bestOrder(market, true);
      isDone = buy === NONE || sell === NONE;
      isDone ||= orders.priceTicks(buy) < priceTicks || orders.priceTicks(sell) > priceTicks;
      if (isDone || steps === stepsMax) break;
      steps++;
      const isBuyOlder = orders.number(buy) < orders.number(sell);
      const older = isBuyOlder ? buy : sell;
      const newer = isBuyOlder ? sell : buy;
      const prevention = this.#prevention(newer, older);
      if (prevention === SELF_TRADE_OFF) {
        fills++;
        this.#fill(older, newer, priceTicks, listener, true);
        if (orders.remainingLots(newer) === 0) this.#close(newer, 'filled', listener);
        continue;
      }
      if (prevention !== CANCEL_NEWEST) this.#close(older, 'self_trade_prevented', listener);
      if (prevention !== CANCEL_OLDEST) this.#close(newer, 'self_trade_prevented', listener);
    }
    this.visits += steps;
    return { steps, fills, isDone };
  }

  /** Appends an order to the queue of its price. */
  rest(order: number): void {
    const orders = this.orders;
    const sells = orders.sells(order);
    const price = orders.priceTicks(order);
    const tree = orders.market(order) * TREES + (sells ? ASKS : BIDS);
    orders.setState(order, RESTING);
    this.#join(order, this.levels.findOrAdd(tree, sells ? price : -price));
  }

  /** Adds a stop, triggered when a trade reaches its stop price. */
  wait(order: number): void {
    const orders = this.orders;
    const falls = orders.sells(order) !== orders.takesProfit(order);
    const stop = orders.stopTicks(order);
    const tree = orders.market(order) * TREES + (falls ? FALLS : RISES);
    orders.setState(order, WAITING);
    this.#join(order, this.levels.findOrAdd(tree, falls ? -stop : stop));
  }

  /** Removes an order from its queue. */
  leave(order: number): void {
    if (this.orders.state(order) === READY) this.#leaveReady(order);
    else this.#leaveLevel(order);
    this.orders.setState(order, INCOMING);
  }

  /** Matches an incoming order at `worstTicks` or better. Its trades make stops ready. */
  match(taker: number, worstTicks: number, limits: MatchLimits, listener: MatchListener): MatchEnd {
    const { fillsPerCommandMax: fillsMax, ownOrdersPerCommandMax: ownOrdersMax } = limits;
    const orders = this.orders;
    const levels = this.levels;
    const sells = orders.sells(taker);
    const worstRank = sells ? -worstTicks : worstTicks;
    const tree = orders.market(taker) * TREES + (sells ? BIDS : ASKS);
    let fills = 0;
    let ownOrders = 0;
    let lowestTicks: number = Number.MAX_SAFE_INTEGER;
    let highestTicks = 0;
    let end: MatchEnd = 'filled';
    while (orders.remainingLots(taker) > 0) {
      const level = levels.best(tree);
      if (level === NONE || levels.rank(level) > worstRank) {
        end = 'met_nothing_more';
        break;
      }
      if (fills === fillsMax) {
        end = 'fills_per_command_reached';
        break;
      }
      const maker = levels.first(level);
      const prevention = this.#prevention(taker, maker);
      if (prevention !== SELF_TRADE_OFF) {
        if (prevention !== CANCEL_NEWEST && ownOrders < ownOrdersMax) {
          ownOrders++;
          this.#close(maker, 'self_trade_prevented', listener);
          if (prevention === CANCEL_OLDEST) continue;
        }
        end = 'self_trade_prevented';
        break;
      }
      fills++;
      const price = orders.priceTicks(maker);
      this.#fill(maker, taker, price, listener, false);
      if (price < lowestTicks) lowestTicks = price;
      if (price > highestTicks) highestTicks = price;
    }
    this.visits += fills + ownOrders;
    if (fills > 0) this.triggerStops(orders.market(taker), { lowestTicks, highestTicks });
    return end;
  }

  /** Follows the path that `match` would take and adds up the fills. */
  walk(request: WalkRequest): Walk {
    const { market, sells, user, selfTrade, worstTicks, fillsMax, ownOrdersMax } = request;
    const orders = this.orders;
    const levels = this.levels;
    const worstRank = sells ? -worstTicks : worstTicks;
    let wanted = request.lots;
    let tickLots = 0n;
    let fills = 0;
    let ownOrders = 0;
    let level = levels.best(market * TREES + (sells ? BIDS : ASKS));
    walking: while (level !== NONE && levels.rank(level) <= worstRank) {
      for (let maker = levels.first(level); maker !== NONE; maker = orders.behind(maker)) {
        if (wanted === 0) break walking;
        const prevention = this.#preventionFor(user, selfTrade, orders.user(maker));
        if (prevention === CANCEL_OLDEST && ownOrders++ < ownOrdersMax) continue;
        if (prevention !== SELF_TRADE_OFF || fills === fillsMax) break walking;
        fills++;
        const available = orders.remainingLots(maker);
        const lots = available < wanted ? available : wanted;
        const cost = BigInt.asIntN(64, wordFromSafe(orders.priceTicks(maker)) * wordFromSafe(lots));
        tickLots = BigInt.asIntN(64, tickLots + cost);
        wanted -= lots;
      }
      level = levels.after(level);
    }
    this.visits += fills + ownOrders;
    return { lots: request.lots - wanted, tickLots };
  }

  /** Moves every stop that trades in this range of prices trigger to the market's ready queue. */
  triggerStops(market: number, { lowestTicks, highestTicks }: PriceRange): void {
    const levels = this.levels;
    const rises = market * TREES + RISES;
    const falls = market * TREES + FALLS;
    while (levels.best(rises) !== NONE && levels.rank(levels.best(rises)) <= highestTicks) {
      this.#makeReady(levels.first(levels.best(rises)));
    }
    while (levels.best(falls) !== NONE && -levels.rank(levels.best(falls)) >= lowestTicks) {
      this.#makeReady(levels.first(levels.best(falls)));
    }
  }

  /** The next stop to activate in this market, or NONE. */
  firstReady(market: number): number {
    return this.#readyFirst[market];
  }

  /** Appends a stop to the ready queue of its market. */
  joinReady(order: number): void {
    const market = this.orders.market(order);
    const last = this.#readyLast[market];
    this.orders.setState(order, READY);
    this.orders.setBefore(order, last);
    this.orders.setBehind(order, NONE);
    if (last === NONE) this.#readyFirst[market] = order;
    else this.orders.setBehind(last, order);
    this.#readyLast[market] = order;
  }

  /** The level trees of a market: bids, asks, stops that wait for a rise and for a fall. */
  treesOf(market: MarketId): readonly number[] {
    const first = market * TREES;
    return [first + BIDS, first + ASKS, first + RISES, first + FALLS];
  }

  /** Trades the smaller of two remaining sizes. A filled maker closes. */
  #fill(
    maker: number,
    taker: number,
    price: Ticks,
    listener: MatchListener,
    isAuction: boolean,
  ): void {
    const orders = this.orders;
    const makerLots = orders.remainingLots(maker);
    const takerLots = orders.remainingLots(taker);
    const lots = makerLots < takerLots ? makerLots : takerLots;
    listener.fill(maker, taker, price, lots, isAuction);
    orders.setRemainingLots(taker, (takerLots - lots) as Lots);
    orders.setRemainingLots(maker, (makerLots - lots) as Lots);
    if (makerLots === lots) this.#close(maker, 'filled', listener);
  }

  #close(order: number, reason: 'filled' | 'self_trade_prevented', listener: MatchListener): void {
    this.leave(order);
    listener.makerClosed(order, reason);
  }

  /** The levels of a tree up to a rank, with their sizes. */
  #levelsTo(tree: number, worstRank: number): AuctionLevel[] {
    const { levels, orders } = this;
    const found: AuctionLevel[] = [];
    let level = levels.best(tree);
    for (; level !== NONE && levels.rank(level) <= worstRank; level = levels.after(level)) {
      let totalLots = 0n;
      for (let order = levels.first(level); order !== NONE; order = orders.behind(order)) {
        totalLots = BigInt.asIntN(64, totalLots + wordFromSafe(orders.remainingLots(order)));
        this.visits++;
      }
      found.push({ priceTicks: Math.abs(levels.rank(level)), totalLots });
    }
    return found;
  }

  #prevention(taker: number, maker: number): number {
    const orders = this.orders;
    return this.#preventionFor(orders.user(taker), orders.selfTrade(taker), orders.user(maker));
  }

  /** The self-trade mode between two users; SELF_TRADE_OFF if they can trade. */
  #preventionFor(takerUser: number, mode: number, makerUser: number): number {
    if (takerUser === makerUser) return mode;
    const group = this.groups[takerUser];
    if (group === 0 || group !== this.groups[makerUser]) return SELF_TRADE_OFF;
    return mode === SELF_TRADE_OFF ? CANCEL_NEWEST : mode;
  }

  #makeReady(order: number): void {
    this.visits++;
    this.#leaveLevel(order);
    this.joinReady(order);
  }

  #join(order: number, level: number): void {
    const orders = this.orders;
    const last = this.levels.last(level);
    orders.setLevel(order, level);
    orders.setBefore(order, last);
    orders.setBehind(order, NONE);
    if (last === NONE) this.levels.setFirst(level, order);
    else orders.setBehind(last, order);
    this.levels.setLast(level, order);
  }

  #leaveLevel(order: number): void {
    const orders = this.orders;
    const level = orders.level(order);
    const before = orders.before(order);
    const behind = orders.behind(order);
    if (before === NONE) this.levels.setFirst(level, behind);
    else orders.setBehind(before, behind);
    if (behind === NONE) this.levels.setLast(level, before);
    else orders.setBefore(behind, before);
    orders.setLevel(order, NONE);
    if (before === NONE && behind === NONE) this.levels.remove(level);
  }

  #leaveReady(order: number): void {
    const orders = this.orders;
    const market = orders.market(order);
    const before = orders.before(order);
    const behind = orders.behind(order);
    if (before === NONE) this.#readyFirst[market] = behind;
    else orders.setBehind(before, behind);
    if (behind === NONE) this.#readyLast[market] = before;
    else orders.setBefore(behind, before);
  }
}
