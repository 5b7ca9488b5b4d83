// Numbered migrations: files that are applied once, in order, and never change afterwards. Safe if
// several processes start together. There are no down migrations: a later one fixes an earlier.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertPlainName, type Connection } from './connections.ts';
import { SchemaFault } from './faults.ts';
import { inTransaction } from './in-transaction.ts';
import { LOCKS } from './locks.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

export function readMigrations(folder: string): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  return files.map((file, index) => {
    const [, digits, name] = /^(\d{4})-([a-z0-9-]+)\.sql$/.exec(file) ?? [];
    const number = Number(digits);
    if (number !== index + 1)
      throw new SchemaFault(`expected migration ${index + 1}, found ${file}`);
    const text = readFileSync(join(folder, file), 'utf8');
    return { number, name, text, checksum: createHash('sha256').update(text).digest('hex') };
  });
}

/** Creates the schema if needed and applies the missing migrations, which it returns. */
export async function migrate(
  connection: Connection,
  schema: string,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  assertPlainName(schema);
  return inTransaction(connection, async () => {
    await connection.query('select pg_advisory_xact_lock($1)', [LOCKS.migrations]);
    await connection.query(`create schema if not exists ${schema}`);
    await connection.query(`set local search_path to ${schema}`);
    await connection.query(
      `create table if not exists migrations (
        number bigint primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`,
    );
    const applied = await appliedMigrations(connection);
    const missing = compare(applied, migrations, schema);
    for (const { checksum, name, number, text } of missing) {
      await connection.query(text);
      const values = [number, name, checksum];
      const insert = 'insert into migrations (number, name, checksum) values ($1, $2, $3)';
      await connection.query(insert, values);
    }
    return missing;
  });
}

/** Throws SchemaFault unless exactly these migrations have been applied. */
export async function checkSchema(
  connection: Connection,
  schema: string,
  migrations: readonly Migration[],
): Promise<void> {
  const found = await connection.query(
    "select to_regclass($1 || '.migrations') is not null as found",
    [schema],
  );
  const applied = found.rows[0].found ? await appliedMigrations(connection) : [];
  const [missing] = compare(applied, migrations, schema);
  if (missing !== undefined) {
    throw new SchemaFault(
      `schema ${schema} lacks migration ${missing.number}: run npm run migrate`,
    );
  }
}

interface Applied {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

async function appliedMigrations(connection: Connection): Promise<readonly Applied[]> {
  const { rows } = await connection.query(
    'select number::integer as number, name, checksum from migrations order by 1',
  );
  return rows as Applied[];
}

/** The missing migrations. Throws if the applied ones are not from these files. */
function compare(
  applied: readonly Applied[],
  migrations: readonly Migration[],
  schema: string,
): readonly Migration[] {
  for (const { checksum, name, number } of applied) {
    const known = migrations[number - 1];
    if (known === undefined) {
      throw new SchemaFault(`schema ${schema} is newer: it has migration ${number}, ${name}`);
    }
    if (known.checksum !== checksum) {
      throw new SchemaFault(`migration ${number}, ${name}, has changed since ${schema} applied it`);
    }
  }
  return migrations.slice(applied.length);
}
