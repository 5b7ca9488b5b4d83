// The schemas of the database: `npm run migrate -- [up | rebuild | checksum | describe]`. It reads
// the same environment variables as the services. `up` also migrates the registry; the other
// commands concern only the projected tables.

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
import { runTool, ToolFault, UsageFault } from '../command-line.ts';
import { rebuild } from './rebuild.ts';

// An index on a large table takes its time.
const MIGRATION_TIMEOUT_MS = 3_600_000;

type Command = (connection: OwnConnection, options: ConnectionOptions) => Promise<void>;

const commands: Record<string, Command> = {
  async up(connection, { schema }) {
    const { registrySchema } = readOwn(process.env, registrySettings);
    if (registrySchema === schema) {
      throw new ToolFault(
        `RIALTO_REGISTRY_SCHEMA and RIALTO_POSTGRES_SCHEMA are both '${schema}' ` +
          '(expected two different schemas).',
      );
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
      print: (line) => console.log(line),
    }),
};

await runTool({
  usage: `Usage: npm run migrate -- [COMMAND]

Creates and updates the schemas of the database.

  up        apply all migrations to the projection and the registry (default)
  rebuild   project the whole log into a fresh schema and switch to it
  checksum  print a checksum of every projected table
  describe  print the projected schema

Environment variables: RIALTO_POSTGRES_URL, RIALTO_POSTGRES_SCHEMA,
RIALTO_REGISTRY_SCHEMA; for rebuild also those of the projector.`,
  takesPositionals: true,
  async run({ positionals: [name = 'up', ...others] }) {
    if (others.length > 0) throw new UsageFault(`Unexpected argument '${others[0]}'.`);
    if (!Object.hasOwn(commands, name)) throw new UsageFault(`There is no command '${name}'.`);
    const options = connectionFrom(process.env);
    const connection = await openConnection(options);
    try {
      await commands[name](connection, options);
    } finally {
      await connection.end();
    }
  },
});

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
  const config = readOwn(environment, postgresSettings);
  return {
    url: config.postgresUrl.reveal(),
    schema: config.postgresSchema,
    name: 'migrate',
    statementTimeoutMs: MIGRATION_TIMEOUT_MS,
  };
}

/** Ignores all other settings of the environment: only a rebuild reads those of the journal. */
function readOwn<Settings extends Readonly<Record<string, Setting<unknown>>>>(
  environment: NodeJS.ProcessEnv,
  settings: Settings,
): ConfigOf<Settings> {
  const names = Object.values(settings).map(({ name }) => name);
  const ours = Object.fromEntries(names.map((name) => [name, environment[name]]));
  return readConfig(ours, settings);
}
