// A real PostgreSQL for one test: started in its own folder and removed after the test. It has the
// migrated schemas and the roles of an exchange, so running `migrate` on them does nothing.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ConnectionOptions,
  migrate,
  type OwnConnection,
  openConnection,
} from '../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../infra/projections/index.ts';
import { startMigratedPostgres } from '../../tools/services/migrated-postgres.ts';
import { type PostgresServer, startPostgres } from '../../tools/services/postgres.ts';

/** Part of a test's context that a suite's `after` also has. */
export interface Ending {
  after(end: () => Promise<void>): void;
}

export interface PostgresForTest {
  readonly server: PostgresServer;
  connection(schema: string): ConnectionOptions;
  /** Opens a session in the schema, which closes after the test. */
  session(schema: string): Promise<OwnConnection>;
  /** Creates a migrated schema and opens a session in it. */
  schema(name: string): Promise<OwnConnection>;
}

const STATEMENT_TIMEOUT_MS = 300_000;

export async function startPostgresForTest(
  context: Ending,
  { isEmpty = false }: { readonly isEmpty?: boolean } = {},
): Promise<PostgresForTest> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-postgres-'));
  const server = await (isEmpty ? startPostgres({ folder }) : startMigratedPostgres({ folder }));
  const sessions: OwnConnection[] = [];
  context.after(async () => {
    for (const session of sessions) void session.end().catch(() => {});
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { server, connection, session, schema };

  function connection(schema: string): ConnectionOptions {
    const statementTimeoutMs = STATEMENT_TIMEOUT_MS;
    return { url: server.url, schema, name: 'test', statementTimeoutMs };
  }

  async function session(name: string): Promise<OwnConnection> {
    const opened = await openConnection(connection(name));
    sessions.push(opened);
    return opened;
  }

  async function schema(name: string): Promise<OwnConnection> {
    const opened = await session(name);
    await migrate(opened, name, readProjectionMigrations());
    return opened;
  }
}
