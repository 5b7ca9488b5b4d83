// A user's traded volume by market and side: closed days from the stored totals, later ones from
// the projected fills.

import { DAY_MS } from '../../core/market-data/index.ts';
import type { MarketId, UserId } from '../../core/money/index.ts';
import { assertPlainName, idOf, type Statements } from '../../infra/postgres/index.ts';
import { dayText } from './closed-days.ts';

export interface Traded {
  /** For example `2026-11`; '' where months are not distinguished. */
  readonly month: string;
  readonly market: MarketId;
  readonly side: 'buy' | 'sell';
  readonly sizeLots: bigint;
  readonly quoteAtoms: bigint;
  readonly trades: number;
}

export interface TradedOptions {
  readonly user: UserId;
  readonly projectionSchema: string;
  /** Result of closeDays. */
  readonly closedToMs: number;
}

/** Returns all months. */
export function readMonths(statements: Statements, options: TradedOptions): Promise<Traded[]> {
  const range = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
  return readSums(statements, { ...options, ...range, isByMonth: true });
}

/** Returns everything traded between two times. */
export function readTraded(
  statements: Statements,
  options: TradedOptions & { readonly fromMs: number; readonly toMs: number },
): Promise<Traded[]> {
  return readSums(statements, { ...options, isByMonth: false });
}

interface SumsOptions extends TradedOptions {
  readonly fromMs: number;
  readonly toMs: number;
  readonly isByMonth: boolean;
}

/** Later than any day of the exchange, within what PostgreSQL stores. */
const LATEST_MS = Date.UTC(9999, 0, 1);

async function readSums(
  statements: Statements,
  { closedToMs, fromMs, isByMonth, projectionSchema, toMs, user }: SumsOptions,
): Promise<Traded[]> {
  assertPlainName(projectionSchema);
  // Full closed days come from the totals; partial and later days come from the fills.
  const daysFromMs = Math.ceil(fromMs / DAY_MS) * DAY_MS;
  const daysToMs = Math.min(Math.floor(toMs / DAY_MS) * DAY_MS, closedToMs);
  const hasDays = daysFromMs < daysToMs;
  const [tailFromMs, headToMs] = hasDays ? [daysToMs, daysFromMs] : [fromMs, fromMs];
  const month = (text: string) => (isByMonth ? text : `''`);
  const { rows } = await statements.query(
    `select month, market_id, side, sum(size_lots)::text as size_lots,
       sum(quote_atoms)::text as quote_atoms, sum(trades)::text as trades
     from (
       select ${month(`to_char(day, 'YYYY-MM')`)} as month, market_id, side, size_lots,
         quote_atoms, trades
       from traded_days where user_id = $1 and day >= $2 and day < $3
       union all
       select ${month(`to_char(executed_at at time zone 'UTC', 'YYYY-MM')`)}, market_id, side,
         size_lots, quote_atoms, 1
       from ${projectionSchema}.fills
       where user_id = $1
         and (executed_at >= $4 and executed_at < $5 or executed_at >= $6 and executed_at < $7)
     ) traded
     group by 1, 2, 3 order by 1, 2, 3`,
    [
      user,
      dayText(hasDays ? daysFromMs : 0),
      dayText(hasDays ? daysToMs : 0),
      new Date(fromMs),
      new Date(headToMs),
      new Date(tailFromMs),
      new Date(Math.min(toMs, LATEST_MS)),
    ],
  );
  return rows.map((row) => ({
    month: row.month,
    market: idOf(row.market_id),
    side: row.side,
    sizeLots: BigInt(row.size_lots),
    quoteAtoms: BigInt(row.quote_atoms),
    trades: Number(row.trades),
  }));
}
