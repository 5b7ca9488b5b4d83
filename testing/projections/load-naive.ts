// Loads a naive projection into its own schema and lists the differences between two schemas, so
// the database itself compares them.

import type { Connection } from '../../infra/postgres/index.ts';
import {
  checksumTables,
  makeMonthPartitions,
  makeOrderPartition,
  monthOf,
  orderPartition,
  PROJECTED_TABLES,
} from '../../infra/projections/index.ts';
import type { Row } from './naive-candles.ts';
import type { NaiveTables } from './naive-projection.ts';

const ROWS_PER_INSERT = 5_000;
const SHOWN_MAX = 5;

export interface LoadOptions {
  readonly tables: NaiveTables;
  readonly ordersPerPartition: number;
}

/** The session's schema must be migrated and empty. */
export async function loadNaive(connection: Connection, options: LoadOptions): Promise<void> {
  const { ordersPerPartition, tables } = options;
  const months = new Set(
    [...tables.trades, ...tables.ledger_entries].map((row) =>
      monthOf(Date.parse(String(row.executed_at ?? row.recorded_at))),
    ),
  );
  for (const month of months) await makeMonthPartitions(connection, month);
  const partitions = new Set(
    tables.orders.map(({ number }) => orderPartition(Number(number), ordersPerPartition)),
  );
  for (const at of partitions) await makeOrderPartition(connection, at, ordersPerPartition);
  for (const table of PROJECTED_TABLES) await insert(connection, table, tables[table]);
}

async function insert(connection: Connection, table: string, rows: readonly Row[]): Promise<void> {
  const text = `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`;
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    await connection.query(text, [JSON.stringify(rows.slice(from, from + ROWS_PER_INSERT))]);
  }
}

/** Returns rows that only one of the two has, by table; empty if they are equal. */
export async function differences(
  connection: Connection,
  [one, other]: readonly [string, string],
): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {};
  for (const table of PROJECTED_TABLES) {
    const lines: string[] = [];
    for (const [has, lacks] of [
      [one, other],
      [other, one],
    ]) {
      const { rows } = await connection.query(
        `select t::text as line from (select t::text as t from ${has}.${table} t
         except all select t::text from ${lacks}.${table} t) t limit ${SHOWN_MAX}`,
      );
      lines.push(...rows.map(({ line }) => `${has}: ${line}`));
    }
    if (lines.length > 0) found[table] = lines;
  }
  return found;
}

/** Compares by checksum, like an operator does. A failure lists the differing rows. */
export async function assertEqualSchemas(
  sessions: readonly [one: Connection, other: Connection],
  names: readonly [string, string],
): Promise<void> {
  const [one, other] = await Promise.all(sessions.map(checksumTables));
  if (JSON.stringify(one) === JSON.stringify(other)) return;
  const found = await differences(sessions[0], names);
  throw new Error(`${names.join(' and ')} differ: ${JSON.stringify(found, null, 1)}`);
}
