// The dispatcher's own session with the registry: the only one that sends, as long as it holds the
// lock. A second dispatcher waits here; so does one that follows a killed one, until the server has
// noticed. Should two send nevertheless, a position still happens once: the engine sees to that.

import { readRegistryMigrations } from '../../domain/migrations/index.ts';
import {
  type ConnectionOptions,
  checkSchema,
  type OwnConnection,
  openConnection,
} from '../../infra/postgres/index.ts';

/** Tells the locks of dispatchers from other advisory locks. */
const LOCK_CLASS = 7_421_975;

export interface OpenOutboxOptions {
  readonly connection: ConnectionOptions;
  /** Somebody else holds the lock: called once. */
  onStandby(): void;
  /** Waits between two tries to get the lock; false when it is to be given up. */
  wait(): Promise<boolean>;
}

/** Undefined when given up. Rejects when the server is away or the schema is not this code's. */
export async function openOutbox(options: OpenOutboxOptions): Promise<OwnConnection | undefined> {
  const { schema } = options.connection;
  const connection = await openConnection(options.connection);
  try {
    for (let isFirst = true; !(await tryLock(connection, schema)); isFirst = false) {
      if (isFirst) options.onStandby();
      if (!(await options.wait())) {
        closeConnection(connection);
        return undefined;
      }
    }
    await checkSchema(connection, schema, readRegistryMigrations());
    return connection;
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
