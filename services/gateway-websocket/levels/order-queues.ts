// A level 3 book: every order by price and time priority, never with its user. IDs are those that
// the order's owner sees.

import { priceText, sizeText } from '../../../core/market-data/index.ts';
import { orderIdText, type Side } from '../../../core/messages/index.ts';
import type { Lots, OrderNumber, Ticks } from '../../../core/money/index.ts';
import type { FullOrders, OrderChanges, OrderRow } from '../../../infra/live-feed/index.ts';
import type { BookFields, BookState } from './book-state.ts';
import { type Scales, scalesOf } from './level-book.ts';

interface Queued {
  readonly order: OrderNumber;
  readonly side: Side;
  readonly priceTicks: Ticks;
  remainingLots: Lots;
}

export class OrderQueues implements BookState {
  #scales: Scales | undefined;
  /** At one price, earlier entries trade first. */
  #orders = new Map<OrderNumber, Queued>();
  #timeMs = 0;

  load(payload: string): boolean {
    const full = JSON.parse(payload) as FullOrders;
    const isFirst = this.#scales === undefined;
    const orders = new Map(full.orders.map((row) => [row[0], queuedOf(row)]));
    const isSame = isEqual(this.#sorted(), sorted(orders));
    this.#scales = scalesOf(full);
    this.#timeMs = full.timeMs;
    this.#orders = orders;
    return isFirst || !isSame;
  }

  apply(payload: string): BookFields | undefined {
    const { changed, closed, opened, timeMs } = JSON.parse(payload) as OrderChanges;
    const scales = this.#scales!;
    this.#timeMs = timeMs;
    // An order that loses priority is reported as closed and opened, so clients do not need
    // positions.
    const removed = closed.filter((order) => this.#orders.delete(order));
    const smaller: string[][] = [];
    for (const [order, remainingLots] of changed) {
      const queued = this.#orders.get(order);
      if (queued === undefined || queued.remainingLots === remainingLots) continue;
      queued.remainingLots = remainingLots;
      smaller.push([orderIdText(order), sizeText(scales, remainingLots)]);
    }
    const added: string[][] = [];
    for (const row of opened) {
      const queued = queuedOf(row);
      if (this.#orders.delete(queued.order)) removed.push(queued.order);
      this.#orders.set(queued.order, queued);
      added.push([queued.side, ...this.#texts(queued)]);
    }
    if (removed.length + smaller.length + added.length === 0) return undefined;
    const fields =
      `"closed":${JSON.stringify(removed.map(orderIdText))},"changed":${JSON.stringify(smaller)}` +
      `,"opened":${JSON.stringify(added)}`;
    return { fields, timeMs };
  }

  full(): BookFields {
    const { asks, bids } = this.#sorted();
    const json = (orders: readonly Queued[]) =>
      JSON.stringify(orders.map((queued) => this.#texts(queued)));
    return { fields: `"bids":${json(bids)},"asks":${json(asks)}`, timeMs: this.#timeMs };
  }

  #texts({ order, priceTicks, remainingLots }: Queued): string[] {
    const scales = this.#scales!;
    return [priceText(scales, priceTicks), sizeText(scales, remainingLots), orderIdText(order)];
  }

  #sorted(): Sides {
    return sorted(this.#orders);
  }
}

interface Sides {
  readonly bids: readonly Queued[];
  readonly asks: readonly Queued[];
}

/** Best first; the sort is stable. */
function sorted(orders: ReadonlyMap<OrderNumber, Queued>): Sides {
  const bids: Queued[] = [];
  const asks: Queued[] = [];
  for (const queued of orders.values()) (queued.side === 'buy' ? bids : asks).push(queued);
  bids.sort((first, second) => second.priceTicks - first.priceTicks);
  asks.sort((first, second) => first.priceTicks - second.priceTicks);
  return { bids, asks };
}

function isEqual(first: Sides, second: Sides): boolean {
  return (['bids', 'asks'] as const).every(
    (side) =>
      first[side].length === second[side].length &&
      first[side].every((queued, at) => {
        const { order, priceTicks, remainingLots } = second[side][at];
        const isSameOrder = queued.order === order && queued.priceTicks === priceTicks;
        return isSameOrder && queued.remainingLots === remainingLots;
      }),
  );
}

function queuedOf([order, side, priceTicks, remainingLots]: OrderRow): Queued {
  return { order, side, priceTicks, remainingLots };
}
