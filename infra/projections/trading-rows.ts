// Rows of orders, fills and balances as whole numbers. The driver returns 64-bit integers as
// strings; nothing here passes through a float that cannot hold it.

import type { OrderState } from '../../core/market-data/index.ts';
import type { Side } from '../../core/messages/index.ts';
import type {
  Atoms,
  Lots,
  MarketId,
  OrderNumber,
  Ppm,
  Ticks,
  TimeMs,
  UserId,
} from '../../core/money/index.ts';

/** One side of a trade. */
export interface FillOfRow {
  readonly market: MarketId;
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  /** 0 for a direct trade, which has no orders. */
  readonly order: OrderNumber;
  readonly feeAtoms: Atoms;
  readonly executedMs: number;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
type Row = any;

/** From a row of `orders`. */
export function orderOfRow(row: Row): OrderState {
  const [sizeLots, filledLots] = [Number(row.size_lots), Number(row.filled_lots)];
  return {
    order: Number(row.number) as OrderNumber,
    user: Number(row.user_id) as UserId,
    market: Number(row.market_id) as MarketId,
    side: row.side,
    type: row.type,
    timeInForce: row.time_in_force,
    selfTrade: row.self_trade,
    postOnly: row.post_only,
    clientOrderId: row.client_order_id,
    note: row.note,
    stopTicks: Number(row.stop_ticks) as Ticks,
    trigger: row.trigger,
    linkedOrder: Number(row.linked_order) as OrderNumber,
    expiresMs: (row.expires_at?.getTime() ?? 0) as TimeMs,
    makerFeePpm: Number(row.maker_fee_ppm) as Ppm,
    takerFeePpm: Number(row.taker_fee_ppm) as Ppm,
    createdMs: row.created_at.getTime() as TimeMs,
    priceTicks: Number(row.price_ticks) as Ticks,
    sizeLots: sizeLots as Lots,
    remainingLots: (sizeLots - filledLots) as Lots,
    feeAtoms: BigInt(row.fee_atoms),
    filledQuoteAtoms: BigInt(row.filled_quote_atoms),
    closeReason: row.close_reason ?? undefined,
    updatedMs: row.updated_at.getTime(),
  };
}

/** From a row of `fills`. */
export function fillOfRow(row: Row): FillOfRow {
  return {
    market: Number(row.market_id) as MarketId,
    side: row.side,
    priceTicks: Number(row.price_ticks) as Ticks,
    sizeLots: Number(row.size_lots) as Lots,
    order: Number(row.order_number) as OrderNumber,
    feeAtoms: BigInt(row.fee_atoms) as Atoms,
    executedMs: row.executed_at.getTime(),
  };
}

/** A user's balance of each asset, and when it last changed. */
export interface BalancesOfRows {
  readonly accounts: ReadonlyMap<number, AccountOfRow>;
  /** 0 if there is none. */
  readonly updatedMs: number;
}

export interface AccountOfRow {
  readonly availableAtoms: bigint;
  readonly heldAtoms: bigint;
}

/** From rows of `balances`, by asset. */
export function balancesOfRows(rows: readonly Row[]): BalancesOfRows {
  const accounts = new Map<number, AccountOfRow>();
  let updatedMs = 0;
  for (const row of rows) {
    const availableAtoms = BigInt(row.available_atoms);
    accounts.set(Number(row.asset_id), { availableAtoms, heldAtoms: BigInt(row.held_atoms) });
    updatedMs = Math.max(updatedMs, row.updated_at.getTime());
  }
  return { accounts, updatedMs };
}
