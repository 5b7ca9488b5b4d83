// A user's closing balances by day. A day without a change has the previous day's balance.

import { DAY_MS } from '../../core/market-data/index.ts';
import type { AssetId, UserId } from '../../core/money/index.ts';
import { idOf, type Statements } from '../../infra/postgres/index.ts';
import { dayText } from './closed-days.ts';
import type { AssetDay } from './profit-loss.ts';

export interface BalanceDay {
  /** Midnight UTC at the start of the day. */
  readonly dayMs: number;
  /** Total atoms at the end of the day; omits assets with none. */
  readonly atoms: ReadonlyMap<AssetId, bigint>;
}

export interface DayRange {
  /** First and last day; undefined for no limit. */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

interface Bounds {
  readonly firstMs: number;
  readonly lastMs: number;
}

/** From the first day with a balance to the last closed day, within the range. */
async function boundsOf(
  statements: Statements,
  user: UserId,
  { fromMs, toMs }: DayRange,
): Promise<Bounds | undefined> {
  const { rows } = await statements.query(
    `select (extract(epoch from closed_to) * 1000)::bigint as last_ms,
       (extract(epoch from (
         select min(day) from closing_balances where user_id = $1
       )) * 1000)::bigint as first_ms
     from closed_days where user_id = $1`,
    [user],
  );
  const [found] = rows;
  if (found === undefined || found.last_ms === null || found.first_ms === null) return undefined;
  const firstMs = Math.max(Number(found.first_ms), startOfDay(fromMs ?? 0));
  const lastMs = Math.min(Number(found.last_ms), startOfDay(toMs ?? Number(found.last_ms)));
  return firstMs > lastMs ? undefined : { firstMs, lastMs };
}

export async function countBalanceDays(
  statements: Statements,
  user: UserId,
  range: DayRange,
): Promise<number> {
  const bounds = await boundsOf(statements, user, range);
  return bounds === undefined ? 0 : (bounds.lastMs - bounds.firstMs) / DAY_MS + 1;
}

export interface BalanceDaysPage extends DayRange {
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

export async function readBalanceDays(
  statements: Statements,
  user: UserId,
  { limit, offset, order, ...range }: BalanceDaysPage,
): Promise<BalanceDay[]> {
  const bounds = await boundsOf(statements, user, range);
  if (bounds === undefined) return [];
  const { firstMs, lastMs } = bounds;
  const count = Math.max(0, Math.min(limit, (lastMs - firstMs) / DAY_MS + 1 - offset));
  const days = Array.from({ length: count }, (_, at) =>
    order === 'asc' ? firstMs + (offset + at) * DAY_MS : lastMs - (offset + at) * DAY_MS,
  );
  const { rows } = await statements.query(
    `select d.at, a.asset_id, b.total_atoms::text as total_atoms
     from unnest($2::date[]) with ordinality as d(day, at)
     cross join (select distinct asset_id from closing_balances where user_id = $1) a
     cross join lateral (
       select total_atoms from closing_balances
       where user_id = $1 and asset_id = a.asset_id and day <= d.day order by day desc limit 1
     ) b
     where b.total_atoms <> 0 order by d.at, a.asset_id`,
    [user, days.map(dayText)],
  );
  const atoms = days.map(() => new Map<AssetId, bigint>());
  for (const row of rows) {
    atoms[Number(row.at) - 1].set(idOf(row.asset_id), BigInt(row.total_atoms));
  }
  return days.map((dayMs, at) => ({ dayMs, atoms: atoms[at] }));
}

/** Days of a period on which a balance changed, in order. */
export async function readAssetDays(
  statements: Statements,
  user: UserId,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<AssetDay[]> {
  const { rows } = await statements.query(
    `select asset_id, (extract(epoch from day) * 1000)::bigint as day_ms,
       total_atoms::text as total_atoms, external_atoms::text as external_atoms
     from closing_balances where user_id = $1 and day >= $2 and day <= $3 order by asset_id, day`,
    [user, dayText(fromMs), dayText(toMs)],
  );
  return rows.map((row) => ({
    asset: idOf(row.asset_id),
    dayMs: Number(row.day_ms),
    totalAtoms: BigInt(row.total_atoms),
    externalAtoms: BigInt(row.external_atoms),
  }));
}

function startOfDay(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}
