// Operators' lookups of users. Each is a row; the rows of an hour and a day are the operator's
// budget, counted before the response is sent. This limits how many users a bribed operator can
// copy.

import { DAY_MS, HOUR_MS } from '../../core/market-data/index.ts';
import type { UserId } from '../../core/money/index.ts';
import {
  type Connection,
  inTransaction,
  type Pool,
  withConnection,
} from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { actsAlone, type Operator } from '../approvals/index.ts';

export interface LookUp {
  readonly operator: UserId;
  readonly role: string;
  /** Undefined for a list, or if no user was found. */
  readonly subject?: UserId | undefined;
  /** Personal fields shown unmasked. */
  readonly fields?: readonly string[];
  readonly reason: 'id' | 'search' | 'list' | 'file' | 'reveal' | 'approval';
  readonly reveal?: number | undefined;
  readonly nowMs: number;
}

/** Rows about users, such as orders, read by an operator. */
export interface ReadOfUsers {
  /** Undefined for all users. */
  readonly subject: UserId | undefined;
  /** Personal fields shown unmasked in the rows. */
  readonly fields?: readonly string[];
  readonly nowMs: number;
}

/**
 * Call it before the rows are read. Without the search permission an operator reads one user at a
 * time.
 */
export function admitRead(
  registry: Pool,
  { powers, role, user: operator }: Pick<Operator, 'powers' | 'role' | 'user'>,
  { fields = [], nowMs, subject }: ReadOfUsers,
): Promise<Refused<'lookup_budget_spent' | 'read_needs_user'> | undefined> {
  if (subject === undefined && !powers.has('pii.search')) {
    return Promise.resolve(new Refused('read_needs_user'));
  }
  const reason = subject === undefined ? 'list' : 'id';
  return withConnection(registry, (connection) =>
    inTransaction(connection, () =>
      countLookUp(connection, { operator, role, subject, fields, reason, nowMs }),
    ),
  );
}

/**
 * Call it in the reading transaction, before its response is sent. Returns undefined if counted.
 */
export async function countLookUp(
  connection: Connection,
  lookUp: LookUp,
): Promise<Refused<'lookup_budget_spent'> | undefined> {
  const { fields = [], nowMs, operator, reason, reveal, role, subject } = lookUp;
  const budgets = await budgetsOf(connection, role);
  // Concurrent calls of one operator count each other.
  if (budgets.length > 0) {
    await connection.query('select from users where id = $1 for no key update', [operator]);
  }
  const isKnown = await isLookedUp(connection, lookUp);
  for (const { lastMs, limit } of isKnown ? [] : budgets) {
    const spent = await oldestThatCounts(connection, { operator, nowMs, lastMs, limit });
    if (spent !== undefined) {
      const retryAfterS = Math.ceil((spent.getTime() + lastMs - nowMs) / 1_000);
      return new Refused('lookup_budget_spent', {}, Math.max(1, retryAfterS));
    }
  }
  // The user might not exist.
  await connection.query(
    `insert into data_lookups (at, operator_id, subject_id, fields, reason, reveal_id, counts)
     values ($1, $2, (select id from users where id = $3), $4, $5, $6, $7)`,
    [new Date(nowMs), operator, subject ?? null, fields, reason, reveal ?? null, !isKnown],
  );
  return undefined;
}

async function budgetsOf(
  connection: Connection,
  role: string,
): Promise<{ readonly limit: number; readonly lastMs: number }[]> {
  // Lookups by an administrator in solo mode are recorded but not limited.
  if (await actsAlone(connection, { role })) return [];
  const { rows } = await connection.query(
    'select lookups_per_hour, lookups_per_day from roles where name = $1',
    [role],
  );
  return [
    { limit: rows[0]?.lookups_per_hour ?? null, lastMs: HOUR_MS },
    { limit: rows[0]?.lookups_per_day ?? null, lastMs: DAY_MS },
  ]
    .filter(({ limit }) => limit !== null)
    .map(({ lastMs, limit }) => ({ lastMs, limit: Number(limit) }));
}

/** A budget counts users: the same user counts once per hour, in however many lists. */
async function isLookedUp(
  connection: Connection,
  { nowMs, operator, subject }: LookUp,
): Promise<boolean> {
  if (subject === undefined) return false;
  const { rows } = await connection.query(
    `select from data_lookups where operator_id = $1 and subject_id = $2 and at > $3 and counts
     limit 1`,
    [operator, subject, new Date(nowMs - HOUR_MS)],
  );
  return rows.length > 0;
}

/**
 * Returns the lookup that must leave the window before another is possible; undefined if possible
 * now.
 */
async function oldestThatCounts(
  connection: Connection,
  window: {
    readonly operator: UserId;
    readonly nowMs: number;
    readonly lastMs: number;
    readonly limit: number;
  },
): Promise<Date | undefined> {
  const { lastMs, limit, nowMs, operator } = window;
  const since = new Date(nowMs - lastMs);
  if (limit === 0) return new Date(nowMs);
  const { rows } = await connection.query(
    `select at from data_lookups where operator_id = $1 and at > $2 and counts
     order by at desc offset $3 limit 1`,
    [operator, since, limit - 1],
  );
  return rows[0]?.at;
}
