// Trades with both sides. A user's trades are found by its fills, which an index orders by time; a
// trade of a user with itself has two fills and is listed once.

import type { Side } from '../../../core/messages/index.ts';
import type {
  Atoms,
  Lots,
  MarketId,
  OrderNumber,
  Ticks,
  UserId,
} from '../../../core/money/index.ts';
import { assertPlainName, idOf } from '../../../infra/postgres/index.ts';
import { tradeSortColumns } from '../../../infra/projections/index.ts';
import { type DateRange, listStatements, type OperatorList } from './list-statement.ts';

export interface TradeFilter extends DateRange {
  readonly user?: UserId | undefined;
  readonly market?: MarketId | undefined;
  /** Side of the taker. */
  readonly side?: Side | undefined;
}

export function tradesOfUsers(filter: TradeFilter, schema: string): OperatorList {
  assertPlainName(schema);
  const { from, market, side, to, user } = filter;
  const ofAll = `
    from ${schema}.trades t where $1::bigint is null
    and ($2::bigint is null or t.market_id = $2)
    and ($3::text is null or t.taker_side = $3)
    and ($4::timestamptz is null or t.executed_at >= $4)
    and ($5::timestamptz is null or t.executed_at < $5)`;
  const ofOne = `
    from ${schema}.fills f
    join ${schema}.trades t on t.executed_at = f.executed_at and t.number = f.trade
    where f.user_id = $1 and (f.liquidity = 'taker' or t.maker_id <> t.taker_id)
    and ($2::bigint is null or f.market_id = $2)
    and ($3::text is null or t.taker_side = $3)
    and ($4::timestamptz is null or f.executed_at >= $4)
    and ($5::timestamptz is null or f.executed_at < $5)`;
  return {
    ...listStatements({
      matching: user === undefined ? ofAll : ofOne,
      columns: 't.*',
      table: 't',
      values: [user, market, side, from, to],
    }),
    sortColumns: tradeSortColumns(schema),
    defaultSort: ['t.executed_at', 't.number'],
  };
}

export interface TradeOfRow {
  readonly market: MarketId;
  readonly takerSide: Side;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  /** 0 for both in a direct trade. */
  readonly makerOrder: OrderNumber;
  readonly takerOrder: OrderNumber;
  readonly maker: UserId;
  readonly taker: UserId;
  /** In the asset that each side receives. */
  readonly makerFeeAtoms: Atoms;
  readonly takerFeeAtoms: Atoms;
  readonly isQuick: boolean;
  readonly executedMs: number;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function tradeOfRow(row: any): TradeOfRow {
  return {
    market: idOf(row.market_id),
    takerSide: row.taker_side,
    priceTicks: Number(row.price_ticks) as Ticks,
    sizeLots: Number(row.size_lots) as Lots,
    makerOrder: Number(row.maker_order) as OrderNumber,
    takerOrder: Number(row.taker_order) as OrderNumber,
    maker: idOf(row.maker_id),
    taker: idOf(row.taker_id),
    makerFeeAtoms: BigInt(row.maker_fee_atoms) as Atoms,
    takerFeeAtoms: BigInt(row.taker_fee_atoms) as Atoms,
    isQuick: row.quick,
    executedMs: row.executed_at.getTime(),
  };
}
