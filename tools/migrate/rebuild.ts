// A rebuild: the whole log into a fresh schema while the old one serves, then the two exchange
// their names. Until that moment it can be stopped at any time; started again, it goes on.

import {
  type ConnectionOptions,
  migrate,
  type OwnConnection,
  SchemaFault,
} from '../../infra/postgres/index.ts';
import { createLogger, systemClock } from '../../infra/process/index.ts';
import { readProjectionMigrations, switchSchemas } from '../../infra/projections/index.ts';
import { projectorConfig, startProjector } from '../../services/projector/index.ts';

export interface RebuildOptions {
  readonly connection: OwnConnection;
  /** Of the schema that serves. */
  readonly target: ConnectionOptions;
  /** Of the projector that does the work. */
  readonly environment: NodeJS.ProcessEnv;
  say(line: string): void;
}

const LOOK_EVERY_MS = 200;
/** With so few messages missing, the names are exchanged. */
const MESSAGES_BEHIND_MAX = 2;
const SAY_EVERY_LOOKS = 25;

export async function rebuild(options: RebuildOptions): Promise<void> {
  const { connection, say, target } = options;
  const serving = target.schema;
  const [fresh, retired] = [`${serving}_next`, `${serving}_retired`];
  const { rows } = await connection.query('select to_regnamespace($1) is null as is_free', [
    retired,
  ]);
  if (!rows[0].is_free) throw new SchemaFault(`drop ${retired}, of an earlier rebuild, first`);
  await migrate(connection, fresh, readProjectionMigrations());
  await projectAll(options, fresh, async () => {
    try {
      await switchSchemas(connection, { serving, fresh, retired });
      return true;
    } catch (fault) {
      // The old one is a little ahead: the next look may find it otherwise.
      if (fault instanceof SchemaFault) return false;
      throw fault;
    }
  });
  say(`${serving} is rebuilt; the old tables are in ${retired}`);
}

/** Projects into the schema until it has caught up and `finish` agrees. */
async function projectAll(
  { environment, say }: RebuildOptions,
  schema: string,
  finish: () => Promise<boolean>,
): Promise<void> {
  const config = projectorConfig({ ...environment, RIALTO_POSTGRES_SCHEMA: schema });
  const log = createLogger({ service: 'rebuild', instance: config.instance, level: 'warn' });
  let failure: Error | undefined;
  const app = await startProjector({
    config,
    log,
    onFault: (reason, cause) => {
      failure = new Error(reason, { cause });
    },
  });
  try {
    for (let look = 0; ; look++) {
      if (failure !== undefined) throw failure;
      const { lag, projector } = app;
      const isClose = lag.isKnown && lag.messages <= MESSAGES_BEHIND_MAX;
      if (projector.cursor !== undefined && isClose && (await finish())) return;
      if (look % SAY_EVERY_LOOKS === 0) {
        say(`frame ${projector.cursor?.frameSequence ?? 0}, ${lag.messages} messages to go`);
      }
      await new Promise<void>((done) => systemClock.after(LOOK_EVERY_MS, done));
    }
  } finally {
    await app.stop();
  }
}
