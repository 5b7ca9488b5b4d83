// Subscribed books as JSON for the gateways: full books and changes. In ticks and lots; the
// gateways convert them to decimals.

import type { ListedMarket, MarketData, PriceLevel } from '../../core/market-data/index.ts';
import type { MarketId } from '../../core/money/index.ts';
import type {
  BookKind,
  FullLevels,
  FullOrders,
  LevelChanges,
  LevelRow,
  OrderChanges,
  OrderRow,
} from '../../infra/live-feed/index.ts';

type Orders = MarketData['orders'];
type Resting = ReturnType<Orders['takeOrderChanges']>['opened'][number];

export function trackBook(orders: Orders, kind: BookKind, market: MarketId): void {
  if (kind === 'l2') orders.trackLevels(market);
  else orders.trackOrders(market);
}

export function untrackBook(orders: Orders, kind: BookKind, market: MarketId): void {
  if (kind === 'l2') orders.untrackLevels(market);
  else orders.untrackOrders(market);
}

/** Returns the changes since the last call, or undefined if there are none. */
export function takeBookChanges(
  orders: Orders,
  kind: BookKind,
  { market, timeMs }: { readonly market: MarketId; readonly timeMs: number },
): string | undefined {
  if (kind === 'l2') {
    const { asks, bids } = orders.takeLevelChanges(market);
    if (bids.length + asks.length === 0) return undefined;
    const changes: LevelChanges = { timeMs, bids: bids.map(levelRow), asks: asks.map(levelRow) };
    return JSON.stringify(changes);
  }
  const { changed, closed, opened } = orders.takeOrderChanges(market);
  if (changed.length + closed.length + opened.length === 0) return undefined;
  const changes: OrderChanges = {
    timeMs,
    closed,
    changed: changed.map(({ order, remainingLots }) => [order, remainingLots]),
    opened: opened.map(orderRow),
  };
  return JSON.stringify(changes);
}

/** Returns the full book of a tracked market. */
export function fullBook(
  orders: Orders,
  kind: BookKind,
  { listed, timeMs }: { readonly listed: ListedMarket; readonly timeMs: number },
): string {
  const { lot, market, tick } = listed;
  const head = {
    timeMs,
    lot: { atoms: `${lot.atoms}`, scale: lot.scale },
    tick: { mantissa: tick.mantissa, scale: tick.scale },
  };
  if (kind === 'l2') {
    const { asks, bids } = orders.topOf(market, Number.POSITIVE_INFINITY);
    const book: FullLevels = { ...head, bids: bids.map(levelRow), asks: asks.map(levelRow) };
    return JSON.stringify(book);
  }
  const book: FullOrders = {
    ...head,
    orders: Array.from(orders.restingOrders(market), orderRow),
  };
  return JSON.stringify(book);
}

function levelRow({ priceTicks, totalLots }: PriceLevel): LevelRow {
  return [priceTicks, `${totalLots}`];
}

function orderRow({ order, priceTicks, remainingLots, side }: Resting): OrderRow {
  return [order, side, priceTicks, remainingLots];
}
