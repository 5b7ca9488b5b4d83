// The servers of the projector drill, and fresh schemas on them.

import type { Nats } from '../../../infra/bus/index.ts';
import { migrate, type OwnConnection, openConnection } from '../../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../../infra/projections/index.ts';
import type { PostgresServer } from '../../../tools/services/postgres.ts';

const STATEMENT_TIMEOUT_MS = 600_000;

export interface DrillStage {
  readonly nats: Nats;
  readonly natsUrls: readonly string[];
  readonly postgres: PostgresServer;
  readonly seed: number;
}

/** A migrated schema, and a connection to it that closes with the server. */
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
