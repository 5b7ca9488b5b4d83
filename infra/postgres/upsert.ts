// Inserts a row or updates it: given columns are written, others keep their value or get the
// table's default. Names of tables and columns come from code, never from user input.

import { assertPlainName } from './connections.ts';
import type { Statements } from './statements.ts';

export interface Upsert {
  readonly table: string;
  /** The columns that identify the row. */
  readonly key: Readonly<Record<string, unknown>>;
  /** By column; undefined columns are not changed. */
  readonly values: Readonly<Record<string, unknown>>;
}

export async function upsert(statements: Statements, row: Upsert): Promise<void> {
  assertPlainName(row.table);
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
