// Connections to PostgreSQL: a session of one's own, or a bounded pool. Each sees one schema, in
// UTC, says who it is, and gives up statements that take too long. Nothing else opens one.

import pg from 'pg';

export type { Pool, PoolClient } from 'pg';

/** A connection: all statements of a transaction go through the same one. */
export type Connection = pg.ClientBase;
export type OwnConnection = pg.Client;

export interface ConnectionOptions {
  readonly url: string;
  readonly schema: string;
  /** How the server calls this connection. */
  readonly name: string;
  readonly statementTimeoutMs: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_GRACE_MS = 5_000;
const IDLE_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_AFTER_MS = 5_000;

/** Rejects when the server can not be reached. Whoever opens it listens for 'error' and closes. */
export async function openConnection(options: ConnectionOptions): Promise<OwnConnection> {
  const session = new pg.Client(clientConfig(options));
  // A lost connection also fails the statement under way, which is where it is noticed.
  session.on('error', () => {});
  await session.connect();
  return session;
}

/** Connects when it is used. When all are in use, the next waits as long as a connect may take. */
export function openPool(
  options: ConnectionOptions & { readonly connectionsMax: number },
): pg.Pool {
  const { connectionsMax: max } = options;
  const pool = new pg.Pool({
    ...clientConfig(options),
    max,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
  });
  // A connection that is lost while nobody uses it is replaced by the pool.
  pool.on('error', () => {});
  // One that is lost while somebody has it says so to nobody but its own listeners, and without one
  // the process would end. The statement under way, or the next one, fails all the same.
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}

/** A connection for this work alone. One with which anything went wrong is not used again. */
export async function withConnection<Result>(
  pool: Pick<pg.Pool, 'connect'>,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const session = await pool.connect();
  let isGood = false;
  try {
    const result = await work(session);
    isGood = true;
    return result;
  } finally {
    session.release(!isGood);
  }
}

/** Also the name of a table, where it is put into a statement as it is. */
export function assertPlainName(name: string): void {
  if (!/^[a-z][a-z0-9_]{0,47}$/.test(name)) {
    throw new RangeError(`a schema's name has small letters, digits and _, not '${name}'`);
  }
}

function clientConfig({ name, schema, statementTimeoutMs, url }: ConnectionOptions) {
  assertPlainName(schema);
  return {
    connectionString: url,
    application_name: name,
    statement_timeout: statementTimeoutMs,
    // A server that stands still gives up nothing by itself.
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    options: `-c search_path=${schema} -c timezone=UTC -c datestyle=ISO`,
  };
}
