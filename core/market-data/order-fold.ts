// The only fold of order state from events: the publisher keeps all open orders with it, the HTTP
// gateway derives answers to commands, and the projector collects the changes of a batch. It must
// give the engine's state, to the last atom.

import type {
  CloseReason,
  Event,
  OrderAmended,
  OrderClosed,
  OrderPlaced,
  OrderTriggered,
  OrderType,
  SelfTradeMode,
  Side,
  TimeInForce,
  TradeExecuted,
  Trigger,
} from '../messages/index.ts';
import type {
  Atoms,
  Lots,
  MarketId,
  OrderNumber,
  Ppm,
  Ticks,
  TimeMs,
  UserId,
} from '../money/index.ts';

/** Fixed when the order is placed. */
export interface OrderTerms {
  readonly order: OrderNumber;
  readonly user: UserId;
  readonly market: MarketId;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly selfTrade: SelfTradeMode;
  readonly postOnly: boolean;
  readonly trigger: Trigger;
  /** 0 for none. */
  readonly linkedOrder: OrderNumber;
  /** 0 for none. */
  readonly expiresMs: TimeMs;
  readonly makerFeePpm: Ppm;
  readonly takerFeePpm: Ppm;
  readonly clientOrderId: string;
  readonly note: string;
  readonly createdMs: TimeMs;
}

/** Changed by fills and amendments. */
export interface OrderProgress {
  stopTicks: Ticks;
  priceTicks: Ticks;
  sizeLots: Lots;
  remainingLots: Lots;
  /** In the asset that the order receives. */
  feeAtoms: bigint;
  /** The quote value of all fills. */
  filledQuoteAtoms: bigint;
}

/** An order that has not closed. */
export interface OpenOrder extends OrderTerms, OrderProgress {
  readonly quick: boolean;
  /** A stop that has not been triggered. */
  isWaiting: boolean;
}

/** An order at one moment, open or closed. */
export interface OrderState extends OrderTerms, Readonly<OrderProgress> {
  /** Undefined while the order is open. */
  readonly closeReason: CloseReason | undefined;
  readonly updatedMs: number;
}

/** One side of a trade. */
export interface TradeSide {
  /** 0 in a direct trade, which has no orders. */
  readonly order: OrderNumber;
  readonly user: UserId;
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly quoteAtoms: Atoms;
  /** In the asset that this side receives. */
  readonly feeAtoms: Atoms;
}

/** Receives the changes that events make to orders. `At` is the position or time of an event. */
export interface OrderEventTarget<At> {
  placed(event: OrderPlaced, at: At): void;
  filled(fill: TradeSide, at: At): void;
  triggered(event: OrderTriggered, at: At): void;
  amended(event: OrderAmended, at: At): void;
  closed(event: OrderClosed, at: At): void;
}

/** Events that change no order are ignored; a trade changes two. */
export function foldOrderEvent<At>(event: Event, at: At, target: OrderEventTarget<At>): void {
  switch (event.kind) {
    case 'OrderPlaced':
      target.placed(event, at);
      break;
    case 'TradeExecuted':
      if (event.takerOrder === 0) return;
      target.filled(makerSide(event), at);
      target.filled(takerSide(event), at);
      break;
    case 'OrderTriggered':
      target.triggered(event, at);
      break;
    case 'OrderAmended':
      target.amended(event, at);
      break;
    case 'OrderClosed':
      target.closed(event, at);
      break;
  }
}

export function makerSide(trade: TradeExecuted): TradeSide {
  return {
    order: trade.makerOrder,
    user: trade.maker,
    side: trade.takerSide === 'buy' ? 'sell' : 'buy',
    priceTicks: trade.priceTicks,
    sizeLots: trade.sizeLots,
    quoteAtoms: trade.quoteAtoms,
    feeAtoms: trade.makerFeeAtoms,
  };
}

export function takerSide(trade: TradeExecuted): TradeSide {
  return {
    order: trade.takerOrder,
    user: trade.taker,
    side: trade.takerSide,
    priceTicks: trade.priceTicks,
    sizeLots: trade.sizeLots,
    quoteAtoms: trade.quoteAtoms,
    feeAtoms: trade.takerFeeAtoms,
  };
}

export function applyFill(order: OrderProgress, fill: TradeSide): void {
  order.remainingLots = (order.remainingLots - fill.sizeLots) as Lots;
  order.filledQuoteAtoms += fill.quoteAtoms;
  order.feeAtoms += fill.feeAtoms;
}

export function applyAmendment(order: OrderProgress, event: OrderAmended): void {
  order.priceTicks = event.priceTicks;
  order.sizeLots = event.sizeLots;
  order.remainingLots = event.remainingLots;
  if (event.stopTicks > 0) order.stopTicks = event.stopTicks;
}

/** The status that clients see: a closed order is filled or canceled. */
export function orderStatus(
  { remainingLots, sizeLots }: Readonly<Pick<OrderProgress, 'remainingLots' | 'sizeLots'>>,
  closeReason: CloseReason | undefined,
): 'new' | 'pfilled' | 'filled' | 'canceled' {
  if (closeReason !== undefined) return closeReason === 'filled' ? 'filled' : 'canceled';
  return remainingLots < sizeLots ? 'pfilled' : 'new';
}

/** The events of one command, which all have one time. */
export interface CommandEvents {
  readonly events: readonly Event[];
  readonly timeMs: number;
}

/** The order after the command that placed it; undefined if these events do not place it. */
export function placedOrder(happened: CommandEvents, order: OrderNumber): OrderState | undefined {
  const placed = happened.events.find(
    (event): event is OrderPlaced => event.kind === 'OrderPlaced' && event.order === order,
  );
  if (placed === undefined) return undefined;
  const timeMs = happened.timeMs as TimeMs;
  const { isWaiting, quick, ...before } = openOrder(placed, timeMs);
  return orderAfter({ ...before, closeReason: undefined, updatedMs: timeMs }, happened);
}

/**
 * The order after a command. The command may fill, trigger and close orders of other users too;
 * only events with the number of this order count.
 */
export function orderAfter(before: OrderState, { events, timeMs }: CommandEvents): OrderState {
  const fold = new SingleOrder(before);
  for (const event of events) foldOrderEvent(event, timeMs, fold);
  return fold.now;
}

/**
 * Whether an order known from before has had no fill since: the event reports the same filled size.
 * Fills only add up, so every other sum over them is the same too.
 */
export function isKnownExactly(known: OrderState, event: OrderAmended | OrderClosed): boolean {
  const filledLots = known.sizeLots - known.remainingLots;
  const sizeLots = event.kind === 'OrderAmended' ? event.sizeLots : known.sizeLots;
  return filledLots === sizeLots - event.remainingLots;
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

class SingleOrder implements OrderEventTarget<number> {
  readonly now: Mutable<OrderState>;

  constructor(before: OrderState) {
    this.now = { ...before };
  }

  /** The fold starts from the placed order. */
  placed(): void {}

  filled(fill: TradeSide, timeMs: number): void {
    if (this.#touch(fill, timeMs)) applyFill(this.now, fill);
  }

  triggered(event: OrderTriggered, timeMs: number): void {
    this.#touch(event, timeMs);
  }

  amended(event: OrderAmended, timeMs: number): void {
    if (this.#touch(event, timeMs)) applyAmendment(this.now, event);
  }

  closed(event: OrderClosed, timeMs: number): void {
    if (this.#touch(event, timeMs)) this.now.closeReason = event.reason;
  }

  #touch({ order }: { readonly order: OrderNumber }, timeMs: number): boolean {
    if (order !== this.now.order) return false;
    this.now.updatedMs = timeMs;
    return true;
  }
}

/** The order before its first fill. */
export function openOrder(placed: OrderPlaced, timeMs: TimeMs): OpenOrder {
  // Written out: a spread object takes ten times as long to create.
  return {
    order: placed.order,
    user: placed.user,
    market: placed.market,
    side: placed.side,
    type: placed.type,
    timeInForce: placed.timeInForce,
    selfTrade: placed.selfTrade,
    postOnly: placed.postOnly,
    quick: placed.quick,
    trigger: placed.trigger,
    linkedOrder: placed.linkedOrder,
    expiresMs: placed.expiresMs,
    stopTicks: placed.stopTicks,
    makerFeePpm: placed.makerFeePpm,
    takerFeePpm: placed.takerFeePpm,
    clientOrderId: placed.clientOrderId,
    note: placed.note,
    createdMs: timeMs,
    priceTicks: placed.priceTicks,
    sizeLots: placed.sizeLots,
    remainingLots: placed.sizeLots,
    isWaiting: placed.stopTicks > 0,
    feeAtoms: 0n,
    filledQuoteAtoms: 0n,
  };
}
