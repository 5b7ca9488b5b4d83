// Turns order, fill and balance rows into the JSON of responses and messages, with protocol.

import type { MarketId } from '../../../core/money/index.ts';
import type { CatalogueNow, MarketEntry } from '../../../features/listings/index.ts';
import { balancesOfRows, fillOfRow, orderOfRow } from '../../../infra/projections/index.ts';
import {
  type AccountNow,
  balanceFields,
  fillJson,
  type OrderStatus,
  orderJson,
} from '../../../protocol/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: the database's rows have no type until they are read
export type Row = any;

const NOTHING: AccountNow = { availableAtoms: 0n, heldAtoms: 0n };

export function orderText(catalogue: CatalogueNow, row: Row): string {
  const { closeReason, market, updatedMs, ...facts } = orderOfRow(row);
  const status = row.status as OrderStatus;
  return orderJson(marketOf(catalogue, market), facts, { status, closeReason, updatedMs });
}

export function fillText(catalogue: CatalogueNow, row: Row): string {
  const { market, ...fill } = fillOfRow(row);
  return fillJson(marketOf(catalogue, market), fill);
}

/** Includes every listed coin, with zero for coins that the user never had. */
export function balanceText({ assetsById }: CatalogueNow, rows: readonly Row[]): string {
  const { accounts, updatedMs } = balancesOfRows(rows);
  const all = [...assetsById.values()].map(
    (asset) => [asset, accounts.get(asset.asset) ?? NOTHING] as const,
  );
  return `{${balanceFields(all, updatedMs)}}`;
}

function marketOf({ marketsById }: CatalogueNow, market: MarketId): MarketEntry {
  const found = marketsById.get(market);
  if (found === undefined) throw new Error(`market ${market} is not in the catalog yet`);
  return found;
}
