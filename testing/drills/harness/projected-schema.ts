// Schemas with projected tables: creates a new one, and waits until a projector has filled it.

import {
  type Connection,
  migrate,
  type OwnConnection,
  openConnection,
} from '../../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../../infra/projections/index.ts';
import type { PostgresServer } from '../../../tools/services/postgres.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';

const STATEMENT_TIMEOUT_MS = 600_000;
const PROJECTED_WITHIN_MS = 3_600_000;

/** Creates a migrated schema, and a connection to it that closes with the server. */
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

export async function waitUntilProjected(connection: Connection, frame: number): Promise<void> {
  await waitUntil({
    what: `the tables have frame ${frame}`,
    timeoutMs: PROJECTED_WITHIN_MS,
    question: async () => {
      const { rows } = await connection.query(
        'select frame_sequence::float8 as frame, is_complete from projection',
      );
      return rows.length > 0 && rows[0].is_complete && rows[0].frame >= frame;
    },
  });
}
