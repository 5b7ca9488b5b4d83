// Checksums of the registry's tables, row by row and independent of their order.

import { type Connection, dumpableTables } from '../../../infra/postgres/index.ts';

/** Columns that a restore corrects on purpose. */
const CORRECTED = ['sent_after_frame', 'written_in'];

/** Returns the number of rows and the sum of their hashes, by table. */
export async function registryChecksums(
  connection: Connection,
  schema: string,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name } of await dumpableTables(connection, schema)) {
    const { rows } = await connection.query(
      `select count(*) || ' rows, ' ||
         coalesce(sum(hashtextextended((to_jsonb(t) - $1::text[])::text, 0)), 0) as checksum
       from ${schema}.${name} t`,
      [CORRECTED],
    );
    found[name] = rows[0].checksum;
  }
  return found;
}
