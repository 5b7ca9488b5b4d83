// Checksums of tables, independent of the order and partitions of their rows. For comparing two
// projections of one log. Reads everything.

import type { Connection } from '../postgres/index.ts';

/** All projected tables; `migrations` and the widths of partitions differ between schemas. */
export const PROJECTED_TABLES = [
  'assets',
  'markets',
  'market_fees',
  'user_fees',
  'user_fee_changes',
  'user_groups',
  'limits',
  'freezes',
  'audit_anchors',
  'dead_man_switches',
  'minutes',
  'orders',
  'prevented_orders',
  'trades',
  'fills',
  'candles',
  'balances',
  'ledger_entries',
  'deposits',
  'withdrawals',
] as const;

export type ProjectedTable = (typeof PROJECTED_TABLES)[number];

export interface TableChecksum {
  readonly rows: number;
  /** The sum of the rows' 64-bit hashes. */
  readonly sum: string;
}

export type Checksums = Record<ProjectedTable, TableChecksum>;

/** All tables are read in one snapshot of the database. */
export async function checksumTables(connection: Connection): Promise<Checksums> {
  const checksums: Partial<Checksums> = {};
  await connection.query('begin transaction isolation level repeatable read read only');
  try {
    for (const table of PROJECTED_TABLES) checksums[table] = await checksum(connection, table);
  } finally {
    await connection.query('commit');
  }
  return checksums as Checksums;
}

async function checksum(connection: Connection, table: ProjectedTable): Promise<TableChecksum> {
  const { rows } = await connection.query(
    `select count(*)::text as rows,
       coalesce(sum(hashtextextended(t::text, 0)), 0)::text as sum
     from ${table} t`,
  );
  return { rows: Number(rows[0].rows), sum: rows[0].sum };
}
