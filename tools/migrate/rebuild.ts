// Projects the entire log into a new schema while the old one serves, then swaps their names. A
// rebuild can be interrupted at any time before the swap; a restart resumes it.

import {
  type ConnectionOptions,
  migrate,
  type OwnConnection,
  SchemaFault,
} from '../../infra/postgres/index.ts';
import { createLogger, systemClock } from '../../infra/process/index.ts';
import { readProjectionMigrations, switchSchemas } from '../../infra/projections/index.ts';
import { projectorConfig, startProjector } from '../../services/projector/index.ts';
import { assertNatsReachable, ToolFault } from '../command-line.ts';
import { Progress } from '../progress.ts';

export interface RebuildOptions {
  readonly connection: OwnConnection;
  /** Connection options of the serving schema. */
  readonly target: ConnectionOptions;
  /** Environment of the projector that does the work. */
  readonly environment: NodeJS.ProcessEnv;
  /** Grants the roles their rights to a projected schema, if there are roles. */
  grant(schema: string): Promise<void>;
  print(line: string): void;
}

const POLL_EVERY_MS = 200;
/** With at most this many missing messages, the rebuild tries to swap the names. */
const MESSAGES_BEHIND_MAX = 2;

export async function rebuild(options: RebuildOptions): Promise<void> {
  const { connection, grant, print, target } = options;
  const serving = target.schema;
  const [fresh, retired] = [`${serving}_next`, `${serving}_retired`];
  const { rows } = await connection.query('select to_regnamespace($1) is null as is_free', [
    retired,
  ]);
  if (!rows[0].is_free)
    throw new ToolFault(`The schema ${retired} of an earlier rebuild still exists. Drop it first.`);
  await migrate(connection, fresh, readProjectionMigrations());
  // Readers must have their rights when the names are swapped.
  await grant(fresh);
  await projectAll(options, fresh, async () => {
    try {
      await switchSchemas(connection, { serving, fresh, retired });
      return true;
    } catch (fault) {
      // The serving schema is slightly ahead, so the next poll tries again.
      if (fault instanceof SchemaFault) return false;
      throw fault;
    }
  });
  // The rebuild created partitions, which the projector must own.
  await grant(serving);
  print(
    `Rebuilt ${serving}. The old tables are in ${retired}; drop that schema when you are done.`,
  );
}

/** Projects into the schema until it has caught up and `finish` succeeds. */
async function projectAll(
  { environment }: RebuildOptions,
  schema: string,
  finish: () => Promise<boolean>,
): Promise<void> {
  const config = projectorConfig({ ...environment, RIALTO_POSTGRES_SCHEMA: schema });
  await assertNatsReachable(config.natsUrls);
  const log = createLogger({ service: 'rebuild', instance: config.instance, level: 'warn' });
  let failure: Error | undefined;
  const app = await startProjector({
    config,
    log,
    onFault: (reason, cause) => {
      failure = new ToolFault(`The projector stopped: ${reason}`, { cause });
    },
  });
  const progress = new Progress('projecting messages');
  let most = 0;
  try {
    for (;;) {
      if (failure !== undefined) throw failure;
      const { lag, projector } = app;
      const isClose = lag.isKnown && lag.messages <= MESSAGES_BEHIND_MAX;
      if (projector.cursor !== undefined && isClose && (await finish())) return;
      most = Math.max(most, lag.messages);
      progress.update(most - lag.messages, most);
      await new Promise<void>((done) => systemClock.after(POLL_EVERY_MS, done));
    }
  } finally {
    progress.stop();
    await app.stop();
  }
}
