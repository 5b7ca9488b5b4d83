// PostgreSQL server with the current schemas and roles of an exchange, for tests and sandboxes. New
// data is a copy of a database that was migrated once, which takes a quarter of the processor time.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { migrate, openConnection } from '../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../infra/projections/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { type PostgresOptions, type PostgresServer, startPostgres } from './postgres.ts';

export const MIGRATED_SCHEMAS = {
  projectionSchema: 'rialto',
  registrySchema: 'registry',
  rolePrefix: 'rialto',
};

const MIGRATION_TIMEOUT_MS = 60_000;
const REPOSITORY = resolve(import.meta.dirname, '../..');
const GRANTS = 'tools/migrate/grants';
/** The row rules are derived from these. */
const STATES = ['deposits', 'withdrawals'].map((kind) => `features/payments/${kind}/states.ts`);

/** Data from an earlier start is migrated. */
export async function startMigratedPostgres(
  options: Omit<PostgresOptions, 'template'>,
): Promise<PostgresServer> {
  const isNew = !existsSync(join(options.folder, 'data'));
  const template = { key: templateKey(), fill: migrateExchange };
  const server = await startPostgres({ ...options, template });
  if (isNew) return server;
  try {
    await migrateExchange(server.url);
    return server;
  } catch (fault) {
    await server.stop();
    throw fault;
  }
}

/** Migrations create partitions for the current months, so the day is part of the key. */
function templateKey(): string {
  const hash = createHash('sha256').update(new Date().toISOString().slice(0, 10));
  for (const { checksum, name } of [...readProjectionMigrations(), ...readRegistryMigrations()]) {
    hash.update(`${name} ${checksum}\n`);
  }
  const grants = readdirSync(join(REPOSITORY, GRANTS)).filter((name) => !name.endsWith('.test.ts'));
  const sources = [...grants.sort().map((name) => join(GRANTS, name)), ...STATES];
  for (const file of sources) hash.update(readFileSync(join(REPOSITORY, file)));
  return hash.digest('hex');
}

async function migrateExchange(url: string): Promise<void> {
  const { projectionSchema, registrySchema } = MIGRATED_SCHEMAS;
  // Loaded on demand, because it loads half of the features, and a copy needs none of them.
  const { applyGrants } = await import('../migrate/grants/apply-grants.ts');
  const connection = await openConnection({
    url,
    schema: registrySchema,
    name: 'migrations',
    statementTimeoutMs: MIGRATION_TIMEOUT_MS,
  });
  try {
    await migrate(connection, projectionSchema, readProjectionMigrations());
    await migrate(connection, registrySchema, readRegistryMigrations());
    await applyGrants(connection, MIGRATED_SCHEMAS);
  } finally {
    await connection.end();
  }
}
