// Singletons: a process that must be the only one of its kind in a schema holds an advisory lock
// on its own connection. Others wait as standbys until the server releases the lock, which it does
// when the connection of the holder ends, even after a crash.

import {
  type Connection,
  type ConnectionOptions,
  type OwnConnection,
  openConnection,
} from './connections.ts';

export interface SingletonOptions {
  readonly connection: ConnectionOptions;
  /** Distinguishes this kind of process from other holders of advisory locks in the same schema. */
  readonly lockClass: number;
  /** Called once if another process holds the lock. */
  onStandby?(): void;
  /** Waits between two attempts to take the lock; false gives up. */
  wait(): Promise<boolean>;
}

/** The connection that holds the lock; undefined if `wait` gave up. Rejects without a server. */
export async function holdSingleton(options: SingletonOptions): Promise<OwnConnection | undefined> {
  const { lockClass, onStandby } = options;
  const { schema } = options.connection;
  const connection = await openConnection(options.connection);
  try {
    for (let isFirst = true; !(await tryLock(connection, lockClass, schema)); isFirst = false) {
      if (isFirst) onStandby?.();
      if (!(await options.wait())) {
        closeConnection(connection);
        return undefined;
      }
    }
    return connection;
  } catch (fault) {
    closeConnection(connection);
    throw fault;
  }
}

/** Does not wait for the server: one that hangs would never respond. */
export function closeConnection(connection: OwnConnection): void {
  void connection.end().catch(() => {});
}

/** The lock of a kind of process, held until the connection ends; false if another holds it. */
export async function tryLock(
  connection: Connection,
  lockClass: number,
  schema: string,
): Promise<boolean> {
  const text = 'select pg_try_advisory_lock($1, hashtext($2)) as is_locked';
  const { rows } = await connection.query(text, [lockClass, schema]);
  return rows[0].is_locked;
}
