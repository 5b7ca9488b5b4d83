// A row of the user's fills as JSON.

import type { Atoms, Lots, MarketId, OrderNumber, Ticks } from '../../core/money/index.ts';
import type { CatalogueNow } from '../../infra/registry/index.ts';
import { fillJson } from '../../protocol/index.ts';
import type { Row } from './lists.ts';
import { marketOf } from './orders/order-now.ts';

export function fillRowJson(catalogue: CatalogueNow, row: Row): string {
  return fillJson(marketOf(catalogue, Number(row.market_id) as MarketId), {
    side: row.side,
    priceTicks: Number(row.price_ticks) as Ticks,
    sizeLots: Number(row.size_lots) as Lots,
    order: Number(row.order_number) as OrderNumber,
    feeAtoms: BigInt(row.fee_atoms) as Atoms,
    executedMs: row.executed_at.getTime(),
  });
}
