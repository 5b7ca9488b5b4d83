// Loads a backup's registry into an empty database: the migrations in the backup, then the rows,
// then the migrations of this release.

import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createZstdDecompress } from 'node:zlib';
import {
  type Connection,
  dumpableTables,
  inTransaction,
  migrate,
  SchemaLoad,
} from '../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { type Manifest, through } from '../backup/manifest.ts';
import { ToolFault } from '../command-line.ts';

export interface LoadOptions {
  readonly connection: Connection;
  readonly schema: string;
  readonly registry: Manifest['registry'];
  /** One file per table. */
  readonly tablesFolder: string;
  onTable(done: number, of: number): void;
}

/** Returns the number of rows. */
export async function loadRegistry(options: LoadOptions): Promise<number> {
  const { connection, registry: dump, schema } = options;
  const migrations = migrationsOf(dump);
  await assertNoRegistry(connection, schema);
  await migrate(connection, schema, migrations.slice(0, dump.migrations.length));
  const rows = await inTransaction(connection, () => loadRows(options));
  await migrate(connection, schema, migrations);
  return rows;
}

/** Throws unless a registry can be loaded here. */
export async function assertNoRegistry(connection: Connection, schema: string): Promise<void> {
  const { rows } = await connection.query('select to_regclass($1) is not null as exists', [
    `${schema}.users`,
  ]);
  if (!rows[0].exists) return;
  const { rows: users } = await connection.query(`select from ${schema}.users limit 1`);
  if (users.length === 0) return;
  throw new ToolFault(
    `The schema ${schema} has users (expected an empty database). Restore to a new one.`,
  );
}

function migrationsOf({ migrations: applied }: Manifest['registry']) {
  const known = readRegistryMigrations();
  if (applied.length > known.length) {
    throw new ToolFault(
      `The backup has migration ${applied.length}, this release ${known.length}. ` +
        'Restore with the release of the backup, or a later one.',
    );
  }
  const changed = applied.find(({ checksum }, at) => known[at].checksum !== checksum);
  if (changed === undefined) return known;
  throw new ToolFault(`Migration ${changed.number} in the backup differs from this release.`);
}

async function loadRows(options: LoadOptions): Promise<number> {
  const { connection, onTable, registry, schema, tablesFolder } = options;
  const { sequences, tables } = registry;
  const found = await dumpableTables(connection, schema);
  const missing = found.filter(({ name }) => !tables.some((table) => table.name === name));
  if (missing.length > 0) {
    throw new ToolFault(`The backup has no table ${missing.map(({ name }) => name).join(', ')}.`);
  }
  const load = new SchemaLoad(connection, schema, tables);
  await load.begin();
  let sum = 0;
  for (const [at, table] of tables.entries()) {
    const file = createReadStream(join(tablesFolder, table.name));
    const rows = await load.load(table, through(file, createZstdDecompress()));
    if (rows !== table.rows) {
      throw new ToolFault(`${table.name}: loaded ${rows} rows (expected ${table.rows}).`);
    }
    sum += rows;
    onTable(at + 1, tables.length);
  }
  await forgetTransactions(connection, schema);
  // The registry continues from a backup, so only `restore reconcile` unblocks it.
  if (tables.some(({ name }) => name === 'registry_term')) {
    await connection.query(
      `update ${schema}.registry_term set state = 'blocked', reason = 'restored from a backup'`,
    );
  }
  await load.end(sequences);
  return sum;
}

/**
 * A new server starts at low transaction numbers. An action recorded on the old server must not
 * vouch for a row that a new transaction with the same number writes. Pending rows still need their
 * action.
 */
async function forgetTransactions(connection: Connection, schema: string): Promise<void> {
  await connection.query(
    `update ${schema}.audit_entries a set written_in = null
     where written_in is not null and not exists (
       select from ${schema}.outbox o where o.state = 'waiting' and o.written_in = a.written_in)
       and not exists (
       select from ${schema}.engine_commands c
       where c.state = 'waiting' and c.written_in = a.written_in)`,
  );
}
