// Recorded discrepancies. A new one pauses withdrawals in the same transaction if its check pauses.
// One that a later pass no longer finds is closed. Must never resume anything.

import { type Connection, inTransaction, type Statements } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { appendAudit } from '../audit/index.ts';
import type { Check, CheckName, Difference } from './check.ts';

export interface RecordedDifference extends Difference {
  readonly id: number;
  readonly check: CheckName;
  readonly frame: number | undefined;
  readonly firstFoundAt: Date;
  readonly foundAt: Date;
  readonly closedAt: Date | undefined;
}

export interface CheckProgress {
  readonly name: CheckName;
  readonly frame: number | undefined;
  readonly rowsCompared: number;
  readonly checkedAt: Date;
  /** End of the last full pass. */
  readonly passedAt: Date | undefined;
}

/** A full pass, or a part of it. */
export interface Found {
  readonly check: Pick<Check, 'name' | 'pauses'>;
  readonly frame: number | undefined;
  readonly rows: number;
  /** Found twice in a row, or certain when first found. */
  readonly differences: readonly Difference[];
  /** Set at the end of a pass: discrepancies last found before its start are closed. */
  readonly passBeganMs: number | undefined;
  readonly nowMs: number;
}

export interface Recorded {
  readonly opened: readonly Difference[];
  readonly closed: readonly string[];
  /** Assets whose withdrawals were paused. */
  readonly paused: readonly string[];
}

export function recordDifferences(
  connection: Connection,
  vault: Vault,
  found: Found,
): Promise<Recorded> {
  return inTransaction(connection, async () => {
    const { check, nowMs } = found;
    await recordProgress(connection, found);
    const opened: Difference[] = [];
    for (const difference of found.differences) {
      if (await insert(connection, found, difference)) opened.push(difference);
    }
    const closed = await closeGone(connection, found);
    const paused = check.pauses
      ? await pauseWithdrawals(connection, check.name, opened, nowMs)
      : [];
    if (paused.length > 0) {
      await appendAudit(connection, vault, {
        actor: { user: undefined, credential: 'system', address: '' },
        act: 'reconciliation.pause',
        object: `withdrawals ${paused.join(' ')}`,
        after: { check: check.name, differences: opened.map(({ object }) => object) },
        nowMs,
      });
    }
    return { opened, closed, paused };
  });
}

export async function readChecks(statements: Statements): Promise<CheckProgress[]> {
  const { rows } = await statements.query('select * from reconciliation_checks order by name');
  return rows.map((row) => ({
    name: row.name,
    frame: row.frame === null ? undefined : Number(row.frame),
    rowsCompared: Number(row.rows_compared),
    checkedAt: row.checked_at,
    passedAt: row.passed_at ?? undefined,
  }));
}

/** Returns the open ones, oldest first. */
export async function readOpenDifferences(statements: Statements): Promise<RecordedDifference[]> {
  const { rows } = await statements.query(
    `select * from reconciliation_differences where closed_at is null
     order by first_found_at, id limit 1000`,
  );
  return rows.map((row) => ({
    id: Number(row.id),
    check: row.check_name,
    object: row.object,
    asset: row.asset ?? undefined,
    expected: row.expected,
    found: row.found,
    frame: row.frame === null ? undefined : Number(row.frame),
    firstFoundAt: row.first_found_at,
    foundAt: row.found_at,
    closedAt: row.closed_at ?? undefined,
  }));
}

async function recordProgress(
  connection: Connection,
  { check, frame, nowMs, passBeganMs, rows }: Found,
): Promise<void> {
  await connection.query(
    `insert into reconciliation_checks as c (name, frame, rows_compared, checked_at, passed_at)
     values ($1, $2, $3, $4, $5)
     on conflict (name) do update set frame = excluded.frame,
       rows_compared = excluded.rows_compared, checked_at = excluded.checked_at,
       passed_at = coalesce(excluded.passed_at, c.passed_at)`,
    [
      check.name,
      frame ?? null,
      rows,
      new Date(nowMs),
      passBeganMs === undefined ? null : new Date(nowMs),
    ],
  );
}

/** Returns false if it was already open. */
async function insert(
  connection: Connection,
  { check, frame, nowMs }: Found,
  { asset, expected, found, object }: Difference,
): Promise<boolean> {
  const { rows } = await connection.query(
    `insert into reconciliation_differences as d
       (check_name, object, asset, expected, found, frame, first_found_at, found_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)
     on conflict (check_name, object) where closed_at is null do update set
       expected = excluded.expected, found = excluded.found, frame = excluded.frame,
       found_at = excluded.found_at
     returning xmax = 0 as is_new`,
    [check.name, object, asset ?? null, expected, found, frame ?? null, new Date(nowMs)],
  );
  return rows[0].is_new;
}

async function closeGone(
  connection: Connection,
  { check, nowMs, passBeganMs }: Found,
): Promise<string[]> {
  if (passBeganMs === undefined) return [];
  const { rows } = await connection.query(
    `update reconciliation_differences set closed_at = $3
     where check_name = $1 and closed_at is null and found_at < $2 returning object`,
    [check.name, new Date(passBeganMs), new Date(nowMs)],
  );
  return rows.map((row) => row.object as string);
}

/** Pauses assets with discrepancies, or all assets if a discrepancy has no asset. */
async function pauseWithdrawals(
  connection: Connection,
  check: CheckName,
  opened: readonly Difference[],
  nowMs: number,
): Promise<string[]> {
  if (opened.length === 0) return [];
  const assets = opened.map(({ asset }) => asset);
  const { rows } = await connection.query(
    `with paused as (
       update coins set allow_withdrawal = false, updated_at = now()
       where allow_withdrawal and ($1::text[] is null or symbol = any($1)) returning symbol
     )
     insert into stops (name, object, previous, stopped_by, stopped_at, reason)
     select 'withdrawals', symbol, '', null, $2, $3 from paused
     on conflict (name, object) do nothing returning object`,
    [
      assets.includes(undefined) ? null : assets,
      new Date(nowMs),
      `reconciliation: ${check} ${opened[0].object}`,
    ],
  );
  return rows.map((row) => row.object as string).sort();
}
