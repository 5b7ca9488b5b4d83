// The JSON of an order as its owner sees it. An order made from events, from memory or from a row
// gives the same JSON.

import { type OrderState, orderStatus } from '../../../core/market-data/index.ts';
import type { MarketId } from '../../../core/money/index.ts';
import { orderJson } from '../../../protocol/index.ts';
import type { CatalogueNow, MarketEntry } from '../../listings/index.ts';

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
  if (found === undefined) throw new Error(`market ${market} is not in the catalogue yet`);
  return found;
}
