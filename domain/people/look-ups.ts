// Look-ups of people by operators. Each is a row; the rows of an hour and a day are the budget of
// the operator, counted in the transaction that reads. A bribed operator copies few people.

import type { UserId } from '../../core/money/index.ts';
import type { Connection } from '../../infra/postgres/index.ts';

export interface LookUp {
  readonly operator: UserId;
  readonly role: string;
  /** Undefined: a list, or nobody. */
  readonly subject?: UserId | undefined;
  /** Personal fields shown in the clear. */
  readonly fields?: readonly string[];
  readonly reason: 'id' | 'search' | 'list' | 'file' | 'reveal';
  readonly reveal?: number | undefined;
  readonly nowMs: number;
}

export interface BudgetSpent {
  readonly refusal: 'lookup_budget_spent';
  readonly retryAfterS: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** In the transaction of the read, before its answer leaves it. Undefined: counted. */
export async function countLookUp(
  connection: Connection,
  lookUp: LookUp,
): Promise<BudgetSpent | undefined> {
  const { fields = [], nowMs, operator, reason, reveal, role, subject } = lookUp;
  // Two calls of one operator at once count each other.
  await connection.query('select from users where id = $1 for no key update', [operator]);
  const { rows } = await connection.query(
    'select lookups_per_hour, lookups_per_day from roles where name = $1',
    [role],
  );
  const [limits] = rows;
  const budgets = [
    { limit: limits?.lookups_per_hour ?? null, lastMs: HOUR_MS },
    { limit: limits?.lookups_per_day ?? null, lastMs: DAY_MS },
  ];
  for (const { lastMs, limit } of budgets) {
    if (limit === null) continue;
    const spent = await oldestThatCounts(connection, { operator, nowMs, lastMs, limit });
    if (spent !== undefined) {
      const retryAfterS = Math.ceil((spent.getTime() + lastMs - nowMs) / 1_000);
      return { refusal: 'lookup_budget_spent', retryAfterS: Math.max(1, retryAfterS) };
    }
  }
  await connection.query(
    `insert into data_lookups (at, operator_id, subject_id, fields, reason, reveal_id)
     values ($1, $2, $3, $4, $5, $6)`,
    [new Date(nowMs), operator, subject ?? null, fields, reason, reveal ?? null],
  );
  return undefined;
}

/** The look-up that must leave the window before another is possible; undefined: now. */
async function oldestThatCounts(
  connection: Connection,
  window: {
    readonly operator: UserId;
    readonly nowMs: number;
    readonly lastMs: number;
    readonly limit: string;
  },
): Promise<Date | undefined> {
  const { lastMs, limit, nowMs, operator } = window;
  const since = new Date(nowMs - lastMs);
  if (Number(limit) === 0) return new Date(nowMs);
  const { rows } = await connection.query(
    `select at from data_lookups where operator_id = $1 and at > $2
     order by at desc offset $3 limit 1`,
    [operator, since, Number(limit) - 1],
  );
  return rows[0]?.at;
}
