// The worker's own session with the registry: the only one that sends, as long as it holds the
// lock. A second worker waits here; so does one that follows a killed one, until the server has
// noticed. Should two send nevertheless, a position still happens once: the engine sees to that.

import {
  type ConnectionOptions,
  checkSchema,
  type OwnSession,
  openSession,
} from '../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../infra/registry/index.ts';

/** Tells the locks of workers from other advisory locks. */
const LOCK_CLASS = 7_421_975;

export interface OpenOutboxOptions {
  readonly connection: ConnectionOptions;
  /** Somebody else holds the lock: called once. */
  onStandby(): void;
  /** Waits between two tries to get the lock; false when it is to be given up. */
  wait(): Promise<boolean>;
}

/** Undefined when given up. Rejects when the server is away or the schema is not this code's. */
export async function openOutbox(options: OpenOutboxOptions): Promise<OwnSession | undefined> {
  const { connection } = options;
  const session = await openSession(connection);
  try {
    for (let isFirst = true; !(await tryLock(session, connection.schema)); isFirst = false) {
      if (isFirst) options.onStandby();
      if (!(await options.wait())) {
        closeSession(session);
        return undefined;
      }
    }
    await checkSchema(session, connection.schema, readRegistryMigrations());
    return session;
  } catch (fault) {
    closeSession(session);
    throw fault;
  }
}

/** Without waiting: a server that stands still would never answer. */
export function closeSession(session: OwnSession): void {
  void session.end().catch(() => {});
}

async function tryLock(session: OwnSession, schema: string): Promise<boolean> {
  const text = 'select pg_try_advisory_lock($1, hashtext($2)) as is_locked';
  const { rows } = await session.query(text, [LOCK_CLASS, schema]);
  return rows[0].is_locked;
}
