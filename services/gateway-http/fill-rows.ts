// A row of the user's fills as JSON.

import type { Atoms, Lots, OrderNumber, Ticks } from '../../core/money/index.ts';
import type { CatalogueNow } from '../../infra/registry/index.ts';
import { fillJson } from '../../protocol/index.ts';
import type { Row } from './lists.ts';

export function fillRowJson({ marketsById }: CatalogueNow, row: Row): string {
  const market = marketsById.get(Number(row.market_id));
  if (market === undefined) throw new Error(`market ${row.market_id} is not in the catalogue yet`);
  return fillJson(market, {
    side: row.side,
    priceTicks: Number(row.price_ticks) as Ticks,
    sizeLots: Number(row.size_lots) as Lots,
    order: Number(row.order_number) as OrderNumber,
    feeAtoms: BigInt(row.fee_atoms) as Atoms,
    executedMs: row.executed_at.getTime(),
  });
}
