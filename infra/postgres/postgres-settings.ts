// The settings with which a service reaches PostgreSQL.

import { integer, secret, text } from '../process/index.ts';

export const postgresSettings = {
  postgresUrl: secret('RIALTO_POSTGRES_URL', {
    expected: 'postgres://user:password@host:port/database',
  }),
  /** The projection's schema; a database may hold several. */
  postgresSchema: text('RIALTO_POSTGRES_SCHEMA', { fallback: 'rialto' }),
  /** The server cancels a statement that takes longer. */
  postgresStatementTimeoutMs: integer('RIALTO_POSTGRES_STATEMENT_TIMEOUT_MS', {
    min: 100,
    max: 3_600_000,
    fallback: 60_000,
  }),
};
