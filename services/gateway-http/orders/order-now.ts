// An order as its owner sees it at one moment: what was asked for, what came of it, and whether it
// is open. Made from events, from memory or from a row, and the same from each.

import type { CloseReason } from '../../../core/messages/index.ts';
import type { MarketId } from '../../../core/money/index.ts';
import type { CatalogueNow, MarketEntry } from '../../../domain/catalogue/index.ts';
import { type OrderFacts, type OrderStatus, orderJson } from '../../../protocol/index.ts';

export interface OrderNow extends OrderFacts {
  readonly market: MarketId;
  /** Undefined while it is open. */
  readonly closeReason: CloseReason | undefined;
  readonly updatedMs: number;
}

export function statusOf({ closeReason, remainingLots, sizeLots }: OrderNow): OrderStatus {
  if (closeReason !== undefined) return closeReason === 'filled' ? 'filled' : 'canceled';
  return remainingLots < sizeLots ? 'pfilled' : 'new';
}

export function orderText(catalogue: CatalogueNow, order: OrderNow): string {
  const { closeReason, updatedMs } = order;
  const listed = marketOf(catalogue, order.market);
  return orderJson(listed, order, { status: statusOf(order), closeReason, updatedMs });
}

export function marketOf({ marketsById }: CatalogueNow, market: MarketId): MarketEntry {
  const found = marketsById.get(market);
  if (found === undefined) throw new Error(`market ${market} is not in the catalogue yet`);
  return found;
}
