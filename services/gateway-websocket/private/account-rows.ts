// Rows of orders, fills and balances as the JSON that answers and messages have: protocol/json
// writes it.

import type { CloseReason } from '../../../core/messages/index.ts';
import type {
  Atoms,
  Lots,
  MarketId,
  OrderNumber,
  Ppm,
  Ticks,
  TimeMs,
  UserId,
} from '../../../core/money/index.ts';
import type { CatalogueNow, MarketEntry } from '../../../infra/registry/index.ts';
import {
  type AccountNow,
  balanceFields,
  fillJson,
  type OrderFacts,
  type OrderStatus,
  orderJson,
} from '../../../protocol/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: the database's rows have no type until they are read
export type Row = any;

const NOTHING: AccountNow = { availableAtoms: 0n, heldAtoms: 0n };

export function orderText(catalogue: CatalogueNow, row: Row): string {
  const [sizeLots, filledLots] = [Number(row.size_lots), Number(row.filled_lots)];
  const facts: OrderFacts = {
    order: Number(row.number) as OrderNumber,
    user: Number(row.user_id) as UserId,
    ...{ side: row.side, type: row.type, timeInForce: row.time_in_force },
    ...{ postOnly: row.post_only, clientOrderId: row.client_order_id, note: row.note },
    stopTicks: Number(row.stop_ticks) as Ticks,
    makerFeePpm: Number(row.maker_fee_ppm) as Ppm,
    takerFeePpm: Number(row.taker_fee_ppm) as Ppm,
    createdMs: row.created_at.getTime() as TimeMs,
    priceTicks: Number(row.price_ticks) as Ticks,
    sizeLots: sizeLots as Lots,
    remainingLots: (sizeLots - filledLots) as Lots,
    feeAtoms: BigInt(row.fee_atoms),
    filledQuoteAtoms: BigInt(row.filled_quote_atoms),
  };
  return orderJson(marketOf(catalogue, row.market_id), facts, {
    status: row.status as OrderStatus,
    closeReason: (row.close_reason ?? undefined) as CloseReason | undefined,
    updatedMs: row.updated_at.getTime(),
  });
}

export function fillText(catalogue: CatalogueNow, row: Row): string {
  return fillJson(marketOf(catalogue, row.market_id), {
    side: row.side,
    priceTicks: Number(row.price_ticks) as Ticks,
    sizeLots: Number(row.size_lots) as Lots,
    order: Number(row.order_number) as OrderNumber,
    feeAtoms: BigInt(row.fee_atoms) as Atoms,
    executedMs: row.executed_at.getTime(),
  });
}

/** Every listed coin; those that the user never had with nothing. */
export function balanceText({ assetsById }: CatalogueNow, rows: readonly Row[]): string {
  const accounts = new Map<number, AccountNow>();
  let updatedMs = 0;
  for (const row of rows) {
    const availableAtoms = BigInt(row.available_atoms);
    accounts.set(Number(row.asset_id), { availableAtoms, heldAtoms: BigInt(row.held_atoms) });
    updatedMs = Math.max(updatedMs, row.updated_at.getTime());
  }
  const all = [...assetsById.values()].map(
    (asset) => [asset, accounts.get(asset.asset) ?? NOTHING] as const,
  );
  return `{${balanceFields(all, updatedMs)}}`;
}

function marketOf({ marketsById }: CatalogueNow, id: string): MarketEntry {
  const found = marketsById.get(Number(id) as MarketId);
  if (found === undefined) throw new Error(`market ${id} is not in the catalogue yet`);
  return found;
}
