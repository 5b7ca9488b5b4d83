// The whole of an order after a command has changed it, as JSON: from what is in memory if that is
// exact, else from the tables, and if they do not come in time, what is certain. The command has
// happened in every case, so nothing here ever becomes an error.

import type { OrderState } from '../../../core/market-data/index.ts';
import { isKnownExactly, orderAfter, placedOrder } from '../../../core/market-data/index.ts';
import type { OrderAmended, OrderClosed } from '../../../core/messages/index.ts';
import type { OrderNumber } from '../../../core/money/index.ts';
import type { CatalogueNow } from '../../../domain/catalogue/index.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Accepted } from '../submit-command.ts';
import { type AcknowledgedFacts, acknowledgedOrder } from './acknowledged-order.ts';
import { orderText } from './order-now.ts';
import { readOrders } from './order-rows.ts';

/** A trader who cancels waits no longer than this for what was filled before. */
const CANCEL_READ_MS = 1_000;
/** Only after a change of leader, or beside very many events. */
const PLACE_READ_MS = 3_000;

/** The order that the command placed; at once, unless its events did not come along. */
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

/** The order that the command amended; `before` as it was known, perhaps without later fills. */
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

/** Orders that the command closed, in the order of its events. */
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

/** An order that was cancelled, of whose cancellation no event was sent along. */
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

/** Undefined of a market that was just listed, and that is not in memory here yet. */
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

/** If it can not be told as a whole, what is certain. */
export function bestOrderJson({ catalogue }: Dependencies, placed: OrderState): string {
  const { closeReason, order, updatedMs } = placed;
  const what = { order, placed, closeReason, updatedMs };
  return completeOrderJson(catalogue.now, placed) ?? acknowledgedOrderJson(catalogue.now, what);
}

const NO_ROWS: ReadonlyMap<OrderNumber, OrderState> = new Map();

/** Rows that have the frame; none when the tables do not come in time. */
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

/** What is read once the tables have the frame; undefined when that does not come in time. */
export function readWithin<Found>(
  { clock, fresh, log }: Dependencies,
  frame: number,
  timeoutMs: number,
  read: () => Promise<Found>,
): Promise<Found | undefined> {
  return new Promise((resolve) => {
    const timer = clock.after(timeoutMs, () => resolve(undefined));
    const tell = (found: Found | undefined) => {
      timer.cancel();
      resolve(found);
    };
    fresh
      .untilFrame(frame, timeoutMs)
      .then((isFresh) => (isFresh ? read() : undefined))
      .then(tell, (err) => {
        log.warn({ err }, 'what a command has changed can not be read; what is certain is told');
        tell(undefined);
      });
  });
}
