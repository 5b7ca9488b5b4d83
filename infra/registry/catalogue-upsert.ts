// One row of the catalogue, made or changed: what is given is written, the rest stays as it is or
// has the table's default. Names of tables and columns come from code, never from a caller.

import type { Statements } from './statements.ts';

export interface Upsert {
  readonly table: 'coins' | 'pairs' | 'tiers' | 'transaction_limits' | 'quick_trade';
  /** The columns that say which row. */
  readonly key: Readonly<Record<string, unknown>>;
  /** By column; what is undefined is not touched. */
  readonly values: Readonly<Record<string, unknown>>;
}

export async function upsert(statements: Statements, row: Upsert): Promise<void> {
  const given = Object.entries(row.values).filter(([, value]) => value !== undefined);
  const all = [...Object.entries(row.key), ...given];
  const columns = all.map(([column]) => column);
  const places = all.map((_, index) => `$${index + 1}`);
  const changes = given.map(([column]) => `${column} = excluded.${column}`);
  await statements.query(
    `insert into ${row.table} (${columns.join(', ')}) values (${places.join(', ')})
     on conflict (${Object.keys(row.key).join(', ')})
     do update set ${[...changes, 'updated_at = now()'].join(', ')}`,
    all.map(([, value]) => value),
  );
}
