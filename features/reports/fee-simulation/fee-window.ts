// Totals of the last closed days, and the users behind them.

import type { MarketId, Ppm } from '../../../core/money/index.ts';
import { assertPlainName, idOf, type Statements } from '../../../infra/postgres/index.ts';
import { EFFECT_DAYS } from './fee-days.ts';
import type { FeeSum } from './fee-effect.ts';

export interface FeeWindow {
  /** First and last day, for example `2026-11-15`; undefined before the first day is closed. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly sums: readonly FeeSum[];
  readonly users: readonly UsersOfTier[];
}

/** Users who traded in the window. */
export interface UsersOfTier {
  readonly market: MarketId;
  readonly tier: number;
  readonly users: number;
  /** Users among these with their own discount. */
  readonly ownUsers: number;
}

export async function readFeeWindow(statements: Statements, schema: string): Promise<FeeWindow> {
  assertPlainName(schema);
  const { rows: days } = await statements.query(
    `select max(day)::text as last, greatest(min(day), max(day) - $1::int + 1)::text as first
     from fee_days_closed`,
    [EFFECT_DAYS],
  );
  const { first, last } = days[0];
  if (last === null) return { from: undefined, to: undefined, sums: [], users: [] };
  const { rows: sums } = await statements.query(SUMS(schema), [first, last]);
  const { rows: users } = await statements.query(
    'select market_id, tier, users, own_users from fee_day_users where day = $1',
    [last],
  );
  return { from: first, to: last, sums: sums.map(sumOf), users: users.map(usersOf) };
}

// Direct trades have their own rates, which no tier changes.
const SUMS = (schema: string) => `
  select d.market_id, d.liquidity, d.tier, d.discount_ppm, d.fee_ppm,
    case d.side when 'buy' then m.base_id else m.quote_id end as asset_id,
    sum(d.fills) as fills, sum(d.received_atoms)::text as received_atoms,
    sum(d.quote_atoms)::text as quote_atoms, sum(d.fee_atoms)::text as fee_atoms
  from fee_days d join ${schema}.markets m on m.id = d.market_id
  where d.day >= $1 and d.day <= $2 and not d.is_direct
  group by 1, 2, 3, 4, 5, 6`;

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function sumOf(row: any): FeeSum {
  return {
    market: idOf(row.market_id),
    liquidity: row.liquidity,
    tier: Number(row.tier),
    discountPpm: Number(row.discount_ppm) as Ppm,
    feePpm: Number(row.fee_ppm) as Ppm,
    fills: Number(row.fills),
    asset: idOf(row.asset_id),
    receivedAtoms: BigInt(row.received_atoms),
    quoteAtoms: BigInt(row.quote_atoms),
    feeAtoms: BigInt(row.fee_atoms),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function usersOf(row: any): UsersOfTier {
  return {
    market: idOf(row.market_id),
    tier: Number(row.tier),
    users: Number(row.users),
    ownUsers: Number(row.own_users),
  };
}
