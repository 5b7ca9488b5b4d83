// The projector's own session with PostgreSQL: the only one that writes a schema, as long as it
// holds the schema's lock. A second projector waits here; so does one that follows a killed one.

import {
  type ConnectionOptions,
  checkSchema,
  type OwnConnection,
  openConnection,
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
  /** For a fresh schema; afterwards the schema says it. */
  readonly ordersPerPartition: number;
  /** Waits between two tries to get the lock; false when it is to be given up. */
  wait(): Promise<boolean>;
}

/** Tells the locks of projectors from other advisory locks. */
const LOCK_CLASS = 7_421_974;

/** Undefined when given up. Rejects when the server is away or the schema is not this code's. */
export async function openProjection(
  options: OpenProjectionOptions,
): Promise<OpenProjection | undefined> {
  const { ordersPerPartition } = options;
  const { schema } = options.connection;
  const connection = await openConnection(options.connection);
  try {
    while (!(await tryLock(connection, schema))) {
      if (!(await options.wait())) {
        await connection.end();
        return undefined;
      }
    }
    await checkSchema(connection, schema, readProjectionMigrations());
    // An update by number must go by the index, whatever the planner believes of sizes: it has
    // none of a partition that is new, and would read all of it for every order.
    await connection.query(
      `set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off;
       set jit = off`,
    );
    return { connection, ...(await readCursor(connection, ordersPerPartition)) };
  } catch (fault) {
    closeConnection(connection);
    throw fault;
  }
}

/** Without waiting: a server that stands still would never answer. */
export function closeConnection(connection: OwnConnection): void {
  void connection.end().catch(() => {});
}

async function tryLock(connection: OwnConnection, schema: string): Promise<boolean> {
  const text = 'select pg_try_advisory_lock($1, hashtext($2)) as is_locked';
  const { rows } = await connection.query(text, [LOCK_CLASS, schema]);
  return rows[0].is_locked;
}
