// A migrated schema, and a session in it that closes with the server.

import { migrate, type OwnConnection, openConnection } from '../../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../../infra/projections/index.ts';
import type { PostgresServer } from '../../../tools/services/postgres.ts';

const STATEMENT_TIMEOUT_MS = 600_000;

export async function freshSchema(
  postgres: PostgresServer,
  schema: string,
): Promise<OwnConnection> {
  const connection = await openConnection({
    url: postgres.url,
    schema,
    name: 'drill',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  await migrate(connection, schema, readProjectionMigrations());
  return connection;
}
