// The end of a rebuild: the fresh schema takes the name of the serving one, in one transaction that
// locks both cursors. Readers never see missing or older tables.

import { assertPlainName, type Connection, inTransaction, SchemaFault } from '../postgres/index.ts';
import { bindPartitionFunctions } from './partitions.ts';

export interface SwitchOptions {
  /** The name that readers use. */
  readonly serving: string;
  readonly fresh: string;
  /** The new name of the old schema; it must not exist. */
  readonly retired: string;
}

/** Throws SchemaFault and changes nothing if the fresh schema is behind the serving one. */
export async function switchSchemas(connection: Connection, options: SwitchOptions): Promise<void> {
  const { fresh, retired, serving } = options;
  for (const name of [fresh, retired, serving]) assertPlainName(name);
  await inTransaction(connection, async () => {
    // The projectors wait here: their next transaction begins with the cursor.
    const old = await lockCursor(connection, serving);
    const next = await lockCursor(connection, fresh);
    if (next < old) {
      throw new SchemaFault(`${fresh} is at message ${next}, behind ${serving} at ${old}`);
    }
    await connection.query(`alter schema ${serving} rename to ${retired}`);
    await connection.query(`alter schema ${fresh} rename to ${serving}`);
    await bindPartitionFunctions(connection, serving);
  });
}

async function lockCursor(connection: Connection, schema: string): Promise<bigint> {
  const { rows } = await connection.query(
    `select events_sequence from ${schema}.projection for update`,
  );
  return BigInt(rows[0]?.events_sequence ?? 0);
}
