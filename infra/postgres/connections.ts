// Connections to PostgreSQL: a single one, or a bounded pool. Each sees one schema, in UTC, has a
// name, and cancels statements that take too long. Nothing else opens connections.

import type { Socket } from 'node:net';
import pg from 'pg';
import { hostWatchOf } from './host-watch.ts';
import type { PostgresTls } from './postgres-settings.ts';

export type { Pool, PoolClient } from 'pg';

/** All statements of a transaction go through the same connection. */
export type Connection = pg.ClientBase;
export type OwnConnection = pg.Client;

export interface ConnectionOptions {
  readonly url: string;
  /** Absent: plain text. */
  readonly tls?: PostgresTls | undefined;
  readonly schema: string;
  /** The application name, as the server lists it. */
  readonly name: string;
  readonly statementTimeoutMs: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_GRACE_MS = 5_000;
const IDLE_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_AFTER_MS = 5_000;

/** Rejects if the server cannot be reached. The caller handles 'error' events and closes it. */
export async function openConnection(options: ConnectionOptions): Promise<OwnConnection> {
  const session = new pg.Client(clientConfig(options));
  // A lost connection also fails the running statement, where it is handled.
  session.on('error', () => {});
  await session.connect();
  watchHost(session, options.url);
  return session;
}

export interface PoolOptions extends ConnectionOptions {
  readonly connectionsMax: number;
  /** Sees each new connection before its first use. A rejection closes it and fails its caller. */
  readonly verify?: (connection: Connection) => Promise<void>;
}

/**
 * Connects on first use. If all connections are in use, the next caller waits as long as a connect
 * may take.
 */
export function openPool(options: PoolOptions): pg.Pool {
  const { connectionsMax: max, verify } = options;
  const pool = new pg.Pool({
    ...clientConfig(options),
    ...(verify && {
      verify: (client, done) => void verify(client).then(() => done(), done),
    }),
    max,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
  });
  // The pool replaces an idle connection that is lost.
  pool.on('error', () => {});
  // A checked-out connection that is lost emits 'error' only to its own listeners, and without one
  // the process would end. The running statement, or the next one, fails all the same.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    watchHost(client, options.url);
  });
  return pool;
}

/** Ends the connection when the name of its host leads to another machine. */
function watchHost(client: pg.ClientBase, url: string): void {
  const watch = hostWatchOf(url);
  if (watch === undefined) return;
  const { stream }: { stream: Socket } = Reflect.get(client, 'connection');
  const connection = {
    get remoteAddress() {
      return stream.remoteAddress;
    },
    // Not in order: a lost machine does not respond.
    close: () => void stream.destroy(),
  };
  watch.add(connection);
  client.once('end', () => watch.remove(connection));
}

/** A connection for this work alone. It is not reused if the work failed. */
export async function withConnection<Result>(
  pool: { connect(): Promise<pg.PoolClient> },
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

/** Also used for table names that become part of a statement. */
export function assertPlainName(name: string): void {
  if (!/^[a-z][a-z0-9_]{0,47}$/.test(name)) {
    throw new RangeError(`expected a name of a-z, 0-9 and _, got '${name}'`);
  }
}

function clientConfig({ name, schema, statementTimeoutMs, tls, url }: ConnectionOptions) {
  assertPlainName(schema);
  return {
    connectionString: url,
    // The driver verifies the certificate and the name of the host.
    ...(tls === undefined ? {} : { ssl: { ...tls, rejectUnauthorized: true } }),
    application_name: name,
    statement_timeout: statementTimeoutMs,
    // A server that hangs cancels nothing itself.
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    // PostgreSQL searches pg_catalog first. Temporary tables come last: none shadows a table.
    // Statements take milliseconds: compiling one that the planner overestimates takes a second.
    options: `-c search_path=${schema},pg_temp -c timezone=UTC -c datestyle=ISO -c jit=off`,
  };
}
