// The one door to the database's schema: `npm run migrate -- [up | rebuild | checksum | describe]`.
// Where it is, is read from the environment as the services do. `up` also migrates the registry;
// the others are about the projected tables alone.

import { parseArgs } from 'node:util';
import { readRegistryMigrations, registrySettings } from '../../domain/migrations/index.ts';
import {
  type ConnectionOptions,
  describeSchema,
  type Migration,
  migrate,
  type OwnConnection,
  openConnection,
  postgresSettings,
} from '../../infra/postgres/index.ts';
import { type ConfigOf, readConfig, type Setting } from '../../infra/process/index.ts';
import { checksumTables, readProjectionMigrations } from '../../infra/projections/index.ts';
import { rebuild } from './rebuild.ts';

// An index on a large table takes its time.
const MIGRATION_TIMEOUT_MS = 3_600_000;

type Work = (connection: OwnConnection, options: ConnectionOptions) => Promise<void>;

const works: Record<string, Work> = {
  async up(connection, { schema }) {
    const { registrySchema } = readOurs(process.env, registrySettings);
    if (registrySchema === schema) {
      throw new RangeError(`the registry needs a schema of its own, not ${schema}`);
    }
    await bringUp(connection, schema, readProjectionMigrations());
    await bringUp(connection, registrySchema, readRegistryMigrations());
  },
  async checksum(connection) {
    console.log(JSON.stringify(await checksumTables(connection), null, 2));
  },
  async describe(connection, { schema }) {
    process.stdout.write(await describeSchema(connection, schema));
  },
  rebuild: (connection, options) =>
    rebuild({
      connection,
      target: options,
      environment: process.env,
      say: (line) => console.log(line),
    }),
};

const { positionals } = parseArgs({ allowPositionals: true });
const [name = 'up'] = positionals;

if (!Object.hasOwn(works, name) || positionals.length > 1) {
  console.error(`Usage: npm run migrate -- [${Object.keys(works).join(' | ')}]`);
  process.exitCode = 2;
} else {
  const options = connectionFrom(process.env);
  const connection = await openConnection(options);
  try {
    await works[name](connection, options);
  } finally {
    await connection.end();
  }
}

async function bringUp(
  connection: OwnConnection,
  schema: string,
  migrations: readonly Migration[],
): Promise<void> {
  const applied = await migrate(connection, schema, migrations);
  for (const { name, number } of applied) console.log(`applied ${number} ${name}`);
  console.log(`schema ${schema} is up to date`);
}

function connectionFrom(environment: NodeJS.ProcessEnv): ConnectionOptions {
  const config = readOurs(environment, postgresSettings);
  return {
    url: config.postgresUrl.reveal(),
    schema: config.postgresSchema,
    name: 'migrate',
    statementTimeoutMs: MIGRATION_TIMEOUT_MS,
  };
}

/** Settings of others may stand beside them: the journal's are read by a rebuild only. */
function readOurs<Settings extends Readonly<Record<string, Setting<unknown>>>>(
  environment: NodeJS.ProcessEnv,
  settings: Settings,
): ConfigOf<Settings> {
  const names = Object.values(settings).map(({ name }) => name);
  const ours = Object.fromEntries(names.map((name) => [name, environment[name]]));
  return readConfig(ours, settings);
}
