// The projector's own connection to PostgreSQL. While it holds the schema's lock, it is the only
// connection that writes the projection. A second projector is a standby here.

import {
  type ConnectionOptions,
  checkSchema,
  closeConnection,
  holdSingleton,
  LOCKS,
  type OwnConnection,
} from '../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../infra/projections/index.ts';
import { type Cursor, readCursor } from './cursor.ts';

export interface OpenProjection {
  readonly connection: OwnConnection;
  readonly cursor: Cursor;
  readonly ordersPerPartition: number;
}

export interface OpenProjectionOptions {
  readonly connection: ConnectionOptions;
  /** Exchange of the log, which must be that of the tables; undefined accepts any. */
  readonly exchangeId?: string | undefined;
  /** For a new schema; an existing schema keeps its stored number. */
  readonly ordersPerPartition: number;
  /** Called once if another projector holds the lock. */
  onStandby(): void;
  /** Waits between two attempts to take the lock; false gives up. */
  wait(): Promise<boolean>;
}

/**
 * Returns undefined if `wait` gave up. Rejects if PostgreSQL is down or the schema does not match.
 */
export async function openProjection(
  options: OpenProjectionOptions,
): Promise<OpenProjection | undefined> {
  const { exchangeId, onStandby, ordersPerPartition, wait } = options;
  const connection = await holdSingleton({
    connection: options.connection,
    lockClass: LOCKS.projector,
    onStandby,
    wait,
  });
  if (connection === undefined) return undefined;
  try {
    await checkSchema(connection, options.connection.schema, readProjectionMigrations());
    // An update by number must use the index. The planner has no statistics for a new partition and
    // would otherwise scan all of it for every order.
    await connection.query(
      `set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off;
       set jit = off`,
    );
    return { connection, ...(await readCursor(connection, { exchangeId, ordersPerPartition })) };
  } catch (fault) {
    closeConnection(connection);
    throw fault;
  }
}
