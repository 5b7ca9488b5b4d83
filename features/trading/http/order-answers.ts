// JSON of an order after a command changed it: from memory if that is exact, else from the tables,
// or only the acknowledged fields if the tables lag. The command has been applied in every case, so
// this file must never turn a failure into an error.

import {
  isKnownExactly,
  type OrderState,
  orderAfter,
  orderStatus,
  placedOrder,
} from '../../../core/market-data/index.ts';
import type { OrderAmended, OrderClosed } from '../../../core/messages/index.ts';
import type { MarketId, OrderNumber } from '../../../core/money/index.ts';
import type { Accepted, Dependencies } from '../../../platform/http/index.ts';
import { orderJson } from '../../../protocol/index.ts';
import type { CatalogueNow, MarketEntry } from '../../listings/index.ts';
import { type AcknowledgedFacts, acknowledgedOrder } from './acknowledged-order.ts';
import { readOrders } from './order-rows.ts';

/** Maximum wait of a cancel for earlier fills. */
const CANCEL_READ_MS = 1_000;
/** Needed only after a leader change, or if a command has very many events. */
const PLACE_READ_MS = 3_000;

/** Returns the order that the command placed; synchronous unless the result lacks its events. */
export function placedOrderJson(
  dependencies: Dependencies,
  accepted: Accepted,
): string | Promise<string> {
  const order = accepted.command as OrderNumber;
  const placed = accepted.hasAllEvents ? placedOrder(accepted, order) : undefined;
  if (placed === undefined) return readPlaced(dependencies, accepted, order);
  dependencies.orders.keep(placed);
  return bestOrderJson(dependencies, placed);
}

async function readPlaced(
  dependencies: Dependencies,
  accepted: Accepted,
  order: OrderNumber,
): Promise<string> {
  const rows = await readOrdersAfter(dependencies, [order], accepted.frame, PLACE_READ_MS);
  return rowOrAcknowledgedJson(dependencies, rows, { order, updatedMs: accepted.timeMs });
}

/** Returns the order that the command amended; `before` can lack later fills. */
export async function amendedOrderJson(
  dependencies: Dependencies,
  accepted: Accepted,
  before: OrderState,
): Promise<string> {
  const { order } = before;
  const amended = accepted.events.find(
    (event): event is OrderAmended => event.kind === 'OrderAmended' && event.order === order,
  );
  const isExact = accepted.hasAllEvents && amended !== undefined && isKnownExactly(before, amended);
  if (isExact) return bestOrderJson(dependencies, orderAfter(before, accepted));
  const rows = await readOrdersAfter(dependencies, [order], accepted.frame, PLACE_READ_MS);
  const placed = orderAfter(before, accepted);
  return rowOrAcknowledgedJson(dependencies, rows, { order, placed, updatedMs: accepted.timeMs });
}

/** Returns the orders that the command closed, in the order of its events. */
export async function closedOrdersJson(
  dependencies: Dependencies,
  accepted: Accepted,
  closed: readonly OrderClosed[],
): Promise<string[]> {
  const whole = new Map<OrderNumber, OrderState>();
  const before = new Map<OrderNumber, OrderState>();
  for (const event of closed) {
    const known = dependencies.orders.get(event.order);
    if (known === undefined) continue;
    before.set(event.order, known);
    dependencies.orders.drop(event.order);
    if (isKnownExactly(known, event)) whole.set(event.order, orderAfter(known, accepted));
  }
  const missing = closed.map(({ order }) => order).filter((order) => !whole.has(order));
  const rows = await readOrdersAfter(dependencies, missing, accepted.frame, CANCEL_READ_MS);
  return closed.map((event) => {
    const { order } = event;
    const known = whole.get(order);
    if (known !== undefined) return bestOrderJson(dependencies, known);
    const what = { order, placed: before.get(order), closed: event, updatedMs: accepted.timeMs };
    return rowOrAcknowledgedJson(dependencies, rows, what);
  });
}

/** Returns a canceled order whose event is not in the result. */
export async function canceledOrderJson(
  dependencies: Dependencies,
  accepted: Accepted,
  order: OrderNumber,
): Promise<string> {
  const placed = dependencies.orders.get(order);
  dependencies.orders.drop(order);
  const rows = await readOrdersAfter(dependencies, [order], accepted.frame, CANCEL_READ_MS);
  const closeReason = 'canceled_by_user';
  return rowOrAcknowledgedJson(dependencies, rows, {
    order,
    placed,
    closeReason,
    updatedMs: accepted.timeMs,
  });
}

function rowOrAcknowledgedJson(
  { catalogue }: Dependencies,
  rows: ReadonlyMap<OrderNumber, OrderState>,
  what: AcknowledgedFacts,
): string {
  return (
    completeOrderJson(catalogue.now, rows.get(what.order)) ??
    acknowledgedOrderJson(catalogue.now, what)
  );
}

/** Returns undefined if the market was just listed and is not in memory yet. */
function completeOrderJson(
  catalogue: CatalogueNow,
  order: OrderState | undefined,
): string | undefined {
  const isListed = order !== undefined && catalogue.marketsById.has(order.market);
  return isListed ? orderText(catalogue, order) : undefined;
}

function acknowledgedOrderJson(catalogue: CatalogueNow, what: AcknowledgedFacts): string {
  return JSON.stringify(acknowledgedOrder(catalogue, what));
}

/** Returns the complete order if possible, else its acknowledged fields. */
export function bestOrderJson({ catalogue }: Dependencies, placed: OrderState): string {
  const { closeReason, order, updatedMs } = placed;
  const what = { order, placed, closeReason, updatedMs };
  return completeOrderJson(catalogue.now, placed) ?? acknowledgedOrderJson(catalogue.now, what);
}

const NO_ROWS: ReadonlyMap<OrderNumber, OrderState> = new Map();

/** Returns the rows once the tables have the frame, or none if the tables take too long. */
export async function readOrdersAfter(
  dependencies: Dependencies,
  orders: readonly OrderNumber[],
  frame: number,
  timeoutMs: number,
): Promise<ReadonlyMap<OrderNumber, OrderState>> {
  if (orders.length === 0) return NO_ROWS;
  const reading = readWithin(dependencies, frame, timeoutMs, () =>
    readOrders(dependencies.projections, orders),
  );
  return (await reading) ?? NO_ROWS;
}

/** Reads once the tables have the frame; returns undefined if the tables take too long. */
export function readWithin<Found>(
  { clock, fresh, log }: Dependencies,
  frame: number,
  timeoutMs: number,
  read: () => Promise<Found>,
): Promise<Found | undefined> {
  return new Promise((resolve) => {
    const timer = clock.after(timeoutMs, () => resolve(undefined));
    const settle = (found: Found | undefined) => {
      timer.cancel();
      resolve(found);
    };
    fresh
      .untilFrame(frame, timeoutMs)
      .then((isFresh) => (isFresh ? read() : undefined))
      .then(settle, (err) => {
        log.warn({ err }, 'order state unavailable; replying with the acknowledged fields only');
        settle(undefined);
      });
  });
}

/** An order from events, from memory, or from a row gives the same JSON. */
export function orderText(catalogue: CatalogueNow, order: OrderState): string {
  const { closeReason, updatedMs } = order;
  const listed = marketOf(catalogue, order.market);
  return orderJson(listed, order, {
    status: orderStatus(order, closeReason),
    closeReason,
    updatedMs,
  });
}

export function marketOf({ marketsById }: CatalogueNow, market: MarketId): MarketEntry {
  const found = marketsById.get(market);
  if (found === undefined) throw new Error(`market ${market} is not in the catalog yet`);
  return found;
}
