// What a service must know to reach PostgreSQL, as settings of its environment.

import { integer, secret, text } from '../process/index.ts';

export const postgresSettings = {
  postgresUrl: secret('RIALTO_POSTGRES_URL', {
    expected: 'postgres://user:password@host:port/database',
  }),
  /** The schema that holds the projection; several may stand side by side in one database. */
  postgresSchema: text('RIALTO_POSTGRES_SCHEMA', { fallback: 'rialto' }),
  /** A statement that takes longer is given up by the server. */
  postgresStatementTimeoutMs: integer('RIALTO_POSTGRES_STATEMENT_TIMEOUT_MS', {
    min: 100,
    max: 3_600_000,
    fallback: 60_000,
  }),
};
