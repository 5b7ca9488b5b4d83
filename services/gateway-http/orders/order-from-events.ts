// Orders from the events of one command. A command may fill, trigger and close orders of many users
// besides the one it is about, and that one may itself be met again by a stop that it set off: each
// event is taken by the number of its order, and by nothing else.

import type {
  Event,
  OrderAmended,
  OrderClosed,
  OrderPlaced,
  TradeExecuted,
} from '../../../core/messages/index.ts';
import type { Lots, OrderNumber, TimeMs } from '../../../core/money/index.ts';
import type { OrderNow } from './order-now.ts';

/** Where events stand: all of a command happen at one time. */
export interface Happened {
  readonly events: readonly Event[];
  readonly timeMs: number;
}

/** The order after the command that placed it; undefined when these events do not place it. */
export function placedOrder(happened: Happened, order: OrderNumber): OrderNow | undefined {
  const { events, timeMs } = happened;
  const placed = events.find(
    (event): event is OrderPlaced => event.kind === 'OrderPlaced' && event.order === order,
  );
  return placed === undefined ? undefined : orderAfter(asPlaced(placed, timeMs), happened);
}

/** The order after all of these events that are about it. */
export function orderAfter(before: OrderNow, { events, timeMs }: Happened): OrderNow {
  let now = before;
  for (const event of events) {
    const change = changeBy(event, now);
    if (change !== undefined) now = { ...now, ...change, updatedMs: timeMs };
  }
  return now;
}

/**
 * Whether an order that was known before has had no fill since: as much of it is filled as the
 * event says. Fills only add, so then every sum over them is the same as well.
 */
export function isKnownExactly(known: OrderNow, event: OrderAmended | OrderClosed): boolean {
  const filledLots = known.sizeLots - known.remainingLots;
  const sizeLots = event.kind === 'OrderAmended' ? event.sizeLots : known.sizeLots;
  return filledLots === sizeLots - event.remainingLots;
}

function asPlaced(placed: OrderPlaced, timeMs: number): OrderNow {
  return {
    order: placed.order,
    user: placed.user,
    market: placed.market,
    side: placed.side,
    type: placed.type,
    timeInForce: placed.timeInForce,
    postOnly: placed.postOnly,
    stopTicks: placed.stopTicks,
    makerFeePpm: placed.makerFeePpm,
    takerFeePpm: placed.takerFeePpm,
    clientOrderId: placed.clientOrderId,
    note: placed.note,
    createdMs: timeMs as TimeMs,
    priceTicks: placed.priceTicks,
    sizeLots: placed.sizeLots,
    remainingLots: placed.sizeLots,
    feeAtoms: 0n,
    filledQuoteAtoms: 0n,
    closeReason: undefined,
    updatedMs: timeMs,
  };
}

function changeBy(event: Event, now: OrderNow): Partial<OrderNow> | undefined {
  switch (event.kind) {
    case 'TradeExecuted':
      return fillBy(event, now);
    case 'OrderTriggered':
      return event.order === now.order ? {} : undefined;
    case 'OrderAmended': {
      if (event.order !== now.order) return undefined;
      const { priceTicks, remainingLots, sizeLots } = event;
      return { priceTicks, remainingLots, sizeLots };
    }
    case 'OrderClosed':
      return event.order === now.order ? { closeReason: event.reason } : undefined;
    default:
      return undefined;
  }
}

/** An order never trades with itself: it is one side of a trade or the other. */
function fillBy(trade: TradeExecuted, now: OrderNow): Partial<OrderNow> | undefined {
  const isTaker = trade.takerOrder === now.order;
  if (!isTaker && trade.makerOrder !== now.order) return undefined;
  return {
    remainingLots: (now.remainingLots - trade.sizeLots) as Lots,
    filledQuoteAtoms: now.filledQuoteAtoms + trade.quoteAtoms,
    feeAtoms: now.feeAtoms + (isTaker ? trade.takerFeeAtoms : trade.makerFeeAtoms),
  };
}
