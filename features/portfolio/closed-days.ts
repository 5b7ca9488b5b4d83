// Closes a user's past days: adds up the ledger and the fills of each day once, and stores the
// totals. Call it only when the projected tables are known to be current.

import { DAY_MS } from '../../core/market-data/index.ts';
import type { UserId } from '../../core/money/index.ts';
import { assertPlainName, type Connection, inTransaction } from '../../infra/postgres/index.ts';

/** The engine's clock can be slow, so a day is closed only this long after its end. */
const SETTLED_MS = 10 * 60_000;
/** Maximum days per statement, so it ends in time even for a long history. */
const SUMMED_MS_MAX = 31 * DAY_MS;

export interface ClosingOptions {
  readonly user: UserId;
  readonly projectionSchema: string;
  readonly nowMs: number;
}

/** Returns the first time that is not closed, in milliseconds; 0 if no day is closed. */
export function closeDays(
  connection: Connection,
  { nowMs, projectionSchema, user }: ClosingOptions,
): Promise<number> {
  assertPlainName(projectionSchema);
  const toMs = Math.floor((nowMs - SETTLED_MS) / DAY_MS) * DAY_MS;
  return inTransaction(connection, async () => {
    await connection.query('insert into closed_days (user_id) values ($1) on conflict do nothing', [
      user,
    ]);
    // Concurrent requests of one user at several gateways close its days one after another.
    const { rows } = await connection.query(
      `select (extract(epoch from closed_to) * 1000)::bigint as closed_ms from closed_days
       where user_id = $1 for update`,
      [user],
    );
    const closedMs = rows[0].closed_ms;
    const fromMs =
      closedMs === null
        ? Math.min(await firstDay(connection, projectionSchema, user), toMs)
        : Number(closedMs) + DAY_MS;
    if (fromMs >= toMs) return fromMs;
    for (let startMs = fromMs; startMs < toMs; startMs += SUMMED_MS_MAX) {
      const endMs = Math.min(startMs + SUMMED_MS_MAX, toMs);
      const range = [user, new Date(startMs), new Date(endMs)];
      await connection.query(closingBalances(projectionSchema), range);
      await connection.query(tradedDays(projectionSchema), range);
    }
    await connection.query('update closed_days set closed_to = $2 where user_id = $1', [
      user,
      dayText(toMs - DAY_MS),
    ]);
    return toMs;
  });
}

/** Returns the day of the user's first ledger entry; Infinity if there is none. */
async function firstDay(connection: Connection, schema: string, user: UserId): Promise<number> {
  const { rows } = await connection.query(firstEntry(schema), [user]);
  const first: Date | null = rows[0].first;
  return first === null ? Number.POSITIVE_INFINITY : Math.floor(+first / DAY_MS) * DAY_MS;
}

/** For example `2026-11-15`. */
export function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

// Reads one row per asset: the index has the owner, the asset and the time.
const firstEntry = (schema: string) => `
  with recursive assets as (
    select min(asset_id) as id from ${schema}.ledger_entries where owner = $1
    union all
    select (select min(asset_id) from ${schema}.ledger_entries
      where owner = $1 and asset_id > assets.id)
    from assets where assets.id is not null
  )
  select min(entry.recorded_at) as first
  from assets cross join lateral (
    select recorded_at from ${schema}.ledger_entries
    where owner = $1 and asset_id = assets.id order by recorded_at limit 1
  ) entry`;

// A day's total is the last earlier one plus the changes since.
const closingBalances = (schema: string) => `
  with changes as (
    select asset_id, (recorded_at at time zone 'UTC')::date as day,
      sum(available_change_atoms + held_change_atoms) as change,
      coalesce(sum(available_change_atoms + held_change_atoms)
        filter (where cause_kind not in ('order', 'trade')), 0) as external
    from ${schema}.ledger_entries
    where owner = $1 and recorded_at >= $2 and recorded_at < $3
    group by 1, 2
  )
  insert into closing_balances (user_id, asset_id, day, total_atoms, external_atoms)
  select $1, c.asset_id, c.day, coalesce(before.total_atoms, 0)
    + sum(c.change) over (partition by c.asset_id order by c.day), c.external
  from changes c
  left join lateral (
    select b.total_atoms from closing_balances b
    where b.user_id = $1 and b.asset_id = c.asset_id order by b.day desc limit 1
  ) before on true`;

const tradedDays = (schema: string) => `
  insert into traded_days (user_id, day, market_id, side, size_lots, quote_atoms, trades)
  select $1, (executed_at at time zone 'UTC')::date as day, market_id, side, sum(size_lots),
    sum(quote_atoms), count(*)
  from ${schema}.fills
  where user_id = $1 and executed_at >= $2 and executed_at < $3
  group by 2, 3, 4`;
