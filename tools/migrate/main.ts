// Database schemas: `npm run migrate -- [up | roles | rebuild | checksum | describe]`. Reads the
// same environment variables as the services. `up` and `roles` also apply to the registry; the
// other commands only to the projected tables.

import {
  type ConnectionOptions,
  describeSchema,
  type Migration,
  migrate,
  type OwnConnection,
  openConnection,
  postgresAddress,
} from '../../infra/postgres/index.ts';
import { createLogger, systemClock } from '../../infra/process/index.ts';
import { checksumTables, readProjectionMigrations } from '../../infra/projections/index.ts';
import { readToolConfig } from '../../infra/settings/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { openVault, readKeks } from '../../platform/vault/index.ts';
import { chosenCommand, DATABASE_KEYS, runTool, ToolFault } from '../command-line.ts';
import { applyGrants, type ExchangeSchemas, hasRoles } from './grants/apply-grants.ts';
import { rebuild } from './rebuild.ts';
import { makeRoles } from './roles.ts';

// Creating an index on a large table takes long.
const MIGRATION_TIMEOUT_MS = 3_600_000;

type Command = (
  connection: OwnConnection,
  options: ConnectionOptions,
  /** An argument of `roles`. */
  folder: string | undefined,
) => Promise<void>;

const commands: Record<string, Command> = {
  async up(connection, options) {
    const { schema } = options;
    const { registrySchema } = readToolConfig(process.env, ['registrySchema']);
    if (registrySchema === schema) {
      throw new ToolFault(
        `RIALTO_REGISTRY_SCHEMA and RIALTO_POSTGRES_SCHEMA are both '${schema}' ` +
          '(expected two different schemas).',
      );
    }
    await bringUp(connection, schema, readProjectionMigrations());
    await bringUp(connection, registrySchema, readRegistryMigrations());
    await grantAgain(connection, schemas(schema));
    await recordAccessKey({ ...options, schema: registrySchema });
  },
  roles: (connection, { schema, url }, folder) =>
    makeRoles(connection, {
      schemas: schemas(schema),
      url,
      folder,
      print: (line) => console.log(line),
    }),
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
      grant: (schema) => grantAgain(connection, schemas(schema)),
      print: (line) => console.log(line),
    }),
};

await runTool({
  usage: `Usage: npm run migrate -- [COMMAND]

Creates and updates database schemas and roles.

  up        apply all migrations to the projection and the registry (default),
            and the permissions of existing roles; with an access key,
            record it in a new registry
  roles     create a login role with permissions for each service; with a
            FOLDER argument, set passwords and write one file per role
  rebuild   rebuild the projected tables from the entire log, then switch to them
  checksum  print a checksum of every projected table
  describe  print the projected schema

Environment variables: RIALTO_MODE, RIALTO_POSTGRES_URL, RIALTO_POSTGRES_CA_FILE,
RIALTO_POSTGRES_CERT_FILE, RIALTO_POSTGRES_KEY_FILE, RIALTO_POSTGRES_SCHEMA,
RIALTO_REGISTRY_SCHEMA, RIALTO_POSTGRES_ROLE_PREFIX, RIALTO_ACCESS_KEY_FILE; for
rebuild, also those of the projector.`,
  takesPositionals: true,
  async run({ positionals: [name = 'up', ...others] }) {
    const [folder] = name === 'roles' ? others.splice(0, 1) : [];
    const command = chosenCommand(commands, name, others);
    const options = connectionFrom(process.env);
    const connection = await openConnection(options);
    try {
      await command(connection, options, folder);
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

function schemas(projectionSchema: string): ExchangeSchemas {
  const keys = ['registrySchema', 'rolePrefix'] as const;
  const { registrySchema, rolePrefix } = readToolConfig(process.env, keys);
  return { projectionSchema, registrySchema, rolePrefix };
}

/** Grants rights to new tables as soon as they exist. */
async function grantAgain(connection: OwnConnection, of: ExchangeSchemas): Promise<void> {
  if (!(await hasRoles(connection, of.rolePrefix))) return;
  await applyGrants(connection, of);
  console.log(`roles of ${of.rolePrefix} have their rights`);
}

/** After that, services reject any other key and cannot record one themselves. */
async function recordAccessKey(registry: ConnectionOptions): Promise<void> {
  const config = readToolConfig(process.env, ['mode', 'accessKey', 'accessKeyFile']);
  if (config.accessKeyFile === undefined) return;
  const connection = await openConnection(registry);
  try {
    if ((await readKeks(connection)).length > 0) return;
    const log = createLogger({ service: 'migrate', instance: 'migrate', level: 'warn' });
    const { stop } = await openVault({ config, registry: connection, clock: systemClock, log });
    stop();
    console.log('access key is recorded');
  } finally {
    await connection.end();
  }
}

function connectionFrom(environment: NodeJS.ProcessEnv): ConnectionOptions {
  const config = readToolConfig(environment, DATABASE_KEYS);
  return {
    ...postgresAddress(config, config.mode),
    schema: config.postgresSchema,
    name: 'migrate',
    statementTimeoutMs: MIGRATION_TIMEOUT_MS,
  };
}
