// The one door to the database's schema: `npm run migrate -- [up | rebuild | checksum | describe]`.
// Where it is, is read from the environment as the services do.

import { parseArgs } from 'node:util';
import {
  type ConnectionOptions,
  checksumTables,
  describeSchema,
  migrate,
  type OwnSession,
  openSession,
  postgresSettings,
} from '../../infra/postgres/index.ts';
import { readConfig } from '../../infra/process/index.ts';
import { rebuild } from './rebuild.ts';

// An index on a large table takes its time.
const MIGRATION_TIMEOUT_MS = 3_600_000;

type Work = (session: OwnSession, connection: ConnectionOptions) => Promise<void>;

const works: Record<string, Work> = {
  async up(session, { schema }) {
    const applied = await migrate(session, schema);
    for (const { name, number } of applied) console.log(`applied ${number} ${name}`);
    console.log(`schema ${schema} is up to date`);
  },
  async checksum(session) {
    console.log(JSON.stringify(await checksumTables(session), null, 2));
  },
  async describe(session, { schema }) {
    process.stdout.write(await describeSchema(session, schema));
  },
  rebuild: (session, connection) =>
    rebuild({ session, connection, environment: process.env, say: (line) => console.log(line) }),
};

const { positionals } = parseArgs({ allowPositionals: true });
const [name = 'up'] = positionals;

if (!Object.hasOwn(works, name) || positionals.length > 1) {
  console.error(`Usage: npm run migrate -- [${Object.keys(works).join(' | ')}]`);
  process.exitCode = 2;
} else {
  const connection = connectionFrom(process.env);
  const session = await openSession(connection);
  try {
    await works[name](session, connection);
  } finally {
    await session.end();
  }
}

function connectionFrom(environment: NodeJS.ProcessEnv): ConnectionOptions {
  // The journal's settings may stand beside them; only a rebuild reads those.
  const ours = Object.fromEntries(
    Object.values(postgresSettings).map((setting) => [setting.name, environment[setting.name]]),
  );
  const config = readConfig(ours, postgresSettings);
  return {
    url: config.postgresUrl.reveal(),
    schema: config.postgresSchema,
    name: 'migrate',
    statementTimeoutMs: MIGRATION_TIMEOUT_MS,
  };
}
