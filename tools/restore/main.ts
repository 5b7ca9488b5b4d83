// `rialto restore`: restores an exchange on empty servers from a backup, or the log alone from an
// archive, and reconciles a registry that went back in time with the log.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Archive,
  createJournal,
  type Extent,
  type Journal,
  openArchive,
  openJournal,
} from '../../infra/journal/index.ts';
import { LOCKS, migrate, type OwnConnection, tryLock } from '../../infra/postgres/index.ts';
import { createLogger, systemClock } from '../../infra/process/index.ts';
import { readProjectionMigrations } from '../../infra/projections/index.ts';
import { openReplaySource } from '../../infra/replica/index.ts';
import { readServiceConfig, readToolConfig } from '../../infra/settings/index.ts';
import { audited } from '../audited-change.ts';
import { chosenBackup, type Manifest } from '../backup/manifest.ts';
import { openPlace, PLACE_OPTIONS, PLACE_USAGE } from '../backup/options.ts';
import {
  assertNatsReachable,
  chosenCommand,
  DATABASE_KEYS,
  EXIT_FAILED,
  EXIT_OK,
  runTool,
  serviceEnvironment,
  ToolFault,
  UsageFault,
  wholeNumber,
} from '../command-line.ts';
import { applyGrants, hasRoles } from '../migrate/grants/apply-grants.ts';
import { withProgress } from '../progress.ts';
import { withRegistry, withRegistryConnection } from '../registry-tool.ts';
import { fetchBackup } from './fetch-backup.ts';
import { assertNoRegistry, loadRegistry } from './load-registry.ts';
import { listOpenFindings, recordDecision } from './lost-commands.ts';
import type { LogSource } from './read-money-commands.ts';
import { isClean, type Reconciled, readStanding, reconcile } from './reconcile.ts';
import { restoreJournal } from './restore.ts';

const STATEMENT_TIMEOUT_MS = 3_600_000;
const LOCK_WAIT_MS = 5_000;
const LOCK_POLL_MS = 200;

interface Values {
  readonly archive?: string | undefined;
  readonly from?: string | undefined;
  readonly at?: string | undefined;
  readonly by?: string | undefined;
  readonly note?: string | undefined;
  readonly configuration?: string | undefined;
  readonly 'key-file'?: string | undefined;
  readonly 's3-file'?: string | undefined;
}

const commands: Record<string, (values: Values, ids: readonly string[]) => Promise<number>> = {
  run: (values, ids) => restoreAll(values, onlyOne(ids)),

  async log(values) {
    const archive = await openArchive(archiveFolder(values), 'read');
    const restored = await withProgress('restoring frames', (onFrames) =>
      restoreLog(archive, { at: position(values), onFrames }),
    );
    console.log(JSON.stringify(restored));
    return EXIT_OK;
  },

  async reconcile(values) {
    return withDatabase(async (connection, registrySchema) => {
      if ((await readStanding(connection)) === 'confirmed') {
        console.error('the registry is confirmed: no command is lost');
        return report({
          found: [],
          settled: 0,
          raised: [],
          open: await listOpenFindings(connection),
        });
      }
      await holdDispatcherLock(connection, registrySchema);
      const source = await openReplaySource(archiveFolder(values), (problem) => {
        console.error(String(problem));
      });
      const at = position(values);
      return at === undefined
        ? withLogEnd(source, (whole) => reconciled(connection, whole))
        : reconciled(connection, { ...source, at });
    });
  },

  async decide({ by, note }, ids) {
    if (ids.length === 0 || by === undefined || note === undefined) {
      throw new UsageFault('decide: ID, --by and --note are required.');
    }
    const numbers = ids.map((id) => wholeNumber('ID', id, { min: 1 }));
    return withRegistry('restore', async ({ openVault, pool }) => {
      const vault = await openVault();
      for (const id of numbers) {
        const lines = await audited(pool, vault, 'restore.decide', async (connection) => {
          const object = await recordDecision(connection, { id, by, note });
          if (object === undefined) throw new ToolFault(`No open finding ${id}.`);
          return { object, after: { by, note }, lines: [`${object} is decided`] };
        });
        for (const line of lines) console.log(line);
      }
      return EXIT_OK;
    });
  },
};

function onlyOne([id, ...others]: readonly string[]): string | undefined {
  if (others.length > 0) throw new UsageFault(`Unexpected argument '${others[0]}'.`);
  return id;
}

/** Fetches and verifies everything first, then restores the log, then the registry. */
async function restoreAll(values: Values, id: string | undefined): Promise<number> {
  const { key, store } = openPlace(values.from, '--from', values);
  const manifest = await chosenBackup(store, key, id);
  const at = position(values);
  assertNotBefore(manifest, at);
  const tablesFolder = mkdtempSync(join(tmpdir(), 'rialto-restore-'));
  try {
    return await withDatabase(async (connection, registrySchema) => {
      await assertNoRegistry(connection, registrySchema);
      const archive = await withProgress('fetching files', (onFile) =>
        fetchBackup({
          store,
          key,
          manifest,
          archiveFolder: archiveFolder(values),
          tablesFolder,
          configurationFolder: values.configuration,
          onFile,
        }),
      );
      console.error(`backup ${manifest.id} is complete and valid`);
      const { snapshot } = manifest;
      const restored = await withProgress('restoring frames', (onFrames) =>
        restoreLog(archive, { at, snapshot, onFrames }),
      );
      console.error(`the log is restored up to frame ${restored.frames}`);
      const rows = await withProgress('loading tables', (onTable) =>
        loadRegistry({
          connection,
          schema: registrySchema,
          registry: manifest.registry,
          tablesFolder,
          onTable,
        }),
      );
      await prepareTables(connection);
      console.error(`the registry is restored, ${rows} rows`);
      return reconciled(
        connection,
        { archive, at: restored.frames },
        {
          ...restored,
          registryRows: rows,
        },
      );
    });
  } finally {
    // The tables contain personal data.
    rmSync(tablesFolder, { recursive: true });
  }
}

function assertNotBefore({ log }: Manifest, at: number | undefined): void {
  if (at === undefined || at >= log.registrySequence) return;
  throw new UsageFault(
    `--at ${at} is before frame ${log.registrySequence}, at which the registry was read: the log ` +
      'must never be behind the registry. `rialto restore log` restores the log alone.',
  );
}

async function restoreLog(
  archive: Archive,
  options: Pick<Parameters<typeof restoreJournal>[0], 'at' | 'snapshot' | 'onFrames'>,
) {
  return withJournal(createJournal, async ({ commands, events, name }) => {
    const restored = await restoreJournal({ archive, commands, events, ...options });
    // Up to here, services reject the log.
    await name((await archive.exchangeId()) ?? '');
    return restored;
  });
}

async function withJournal<Opened extends Journal, Result>(
  open: (options: Parameters<typeof openJournal>[0]) => Promise<Opened>,
  work: (journal: Opened) => Promise<Result>,
): Promise<Result> {
  const config = { ...readServiceConfig('sequencer', serviceEnvironment()), instance: 'restore' };
  await assertNatsReachable(config.natsUrls);
  const log = createLogger({ service: 'restore', instance: 'restore', level: 'warn' });
  const journal = await open({ config, as: 'sequencer', log });
  try {
    return await work(journal);
  } finally {
    await journal.close();
  }
}

/** The projected tables are empty: the projector fills them from the log. */
async function prepareTables(connection: OwnConnection): Promise<void> {
  const config = readToolConfig(process.env, DATABASE_KEYS);
  const { postgresSchema: projectionSchema, registrySchema, rolePrefix } = config;
  await migrate(connection, projectionSchema, readProjectionMigrations());
  if (await hasRoles(connection, rolePrefix)) {
    await applyGrants(connection, { projectionSchema, registrySchema, rolePrefix });
  }
}

async function reconciled(
  connection: OwnConnection,
  source: LogSource,
  figures: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const found = await withProgress('reading money commands', (onFrame) =>
    reconcile({ ...source, connection, onFrame }),
  );
  return report(found, figures);
}

/** Exits with 1 while an operator must make a decision. */
function report(result: Reconciled, figures: Readonly<Record<string, unknown>> = {}): number {
  const { found, open, raised, settled } = result;
  for (const line of raised) console.error(`corrected: ${line}`);
  for (const line of found) console.error(`found: ${line}`);
  for (const { decision, id, object, sentence } of open) {
    console.error(`decide ${id}: ${object}: ${decision} (${sentence})`);
  }
  const counts = { found: found.length, open: open.length, raised: raised.length, settled };
  console.log(JSON.stringify({ ...figures, ...counts }));
  return isClean(result) ? EXIT_OK : EXIT_FAILED;
}

/** Returns the log's own end, because an archive lacks the newest frames. */
async function withLogEnd<Result>(
  archived: Omit<LogSource, 'at' | 'tail'>,
  work: (source: LogSource) => Promise<Result>,
): Promise<Result> {
  return withJournal(openJournal, async ({ commands }) => {
    const extent = await new Promise<Extent | undefined>((done) => commands.extent(done));
    if (extent === undefined) throw new ToolFault('COMMANDS is not responding.');
    const { first, last: at } = extent;
    const { sequence } = archived.archive.end;
    if (at < sequence) {
      throw new ToolFault(
        `COMMANDS ends at frame ${at}, the archive at frame ${sequence}: the log went back in ` +
          'time. See docs/operating/retention.md.',
      );
    }
    if (first > sequence + 1) {
      throw new ToolFault(
        `The archive ends at frame ${sequence}, and COMMANDS begins at frame ${first}. ` +
          'Use the newest copy of the archive.',
      );
    }
    return work({ ...archived, at, tail: commands });
  });
}

/** Only one process at a time records outcomes. A blocked dispatcher records none. */
async function holdDispatcherLock(connection: OwnConnection, schema: string): Promise<void> {
  const deadlineMs = systemClock.elapsedMs() + LOCK_WAIT_MS;
  while (!(await tryLock(connection, LOCKS.dispatcher, schema))) {
    if ((await readStanding(connection)) === 'blocked') return;
    if (systemClock.elapsedMs() > deadlineMs) {
      throw new ToolFault(
        'An outbox dispatcher is running. Stop it on all machines, then run the command again.',
      );
    }
    await delay(LOCK_POLL_MS);
  }
}

async function withDatabase<Result>(
  work: (connection: OwnConnection, registrySchema: string) => Promise<Result>,
): Promise<Result> {
  const { postgresSchema, registrySchema } = readToolConfig(process.env, DATABASE_KEYS);
  if (registrySchema === postgresSchema) {
    throw new ToolFault('RIALTO_REGISTRY_SCHEMA and RIALTO_POSTGRES_SCHEMA must differ.');
  }
  const limits = { name: 'restore', statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  return withRegistryConnection(limits, (connection) => work(connection, registrySchema));
}

function archiveFolder({ archive }: Values): string {
  if (archive === undefined) throw new UsageFault('--archive is required.');
  return archive;
}

function position({ at }: Values): number | undefined {
  return at === undefined ? undefined : wholeNumber('at', at, { min: 1 });
}

await runTool({
  usage: `Usage: rialto restore COMMAND --archive FOLDER [OPTIONS] [ID]

Restores an exchange to empty servers, or brings an older registry up to date.
If interrupted, run it again. The last line is one JSON object. The exit code is
1 while decisions about funds are open. See docs/operating/backup.md.

  run         verify the newest backup at --from, or ID, then restore log and
              registry and reconcile them
  log         restore only COMMANDS and EVENTS from a copy of the archive
  reconcile   after a PostgreSQL restore or promotion, rebuild missing registry
              rows from the log and list open decisions
  decide      ID... --by NAME --note TEXT: record a decision on findings

  --archive F   archive folder; run adds the backup's files to it and restores
                newer segments found there
  --from PLACE  backup folder, or s3://BUCKET/PREFIX
${PLACE_USAGE}
  --at N        stop at frame N of the log (default: its end)
  --configuration FOLDER
                run: write the configuration files from the backup there

Environment variables: those of a sequencer and of migrate.`,
  takesPositionals: true,
  options: {
    archive: { type: 'string' },
    from: { type: 'string' },
    at: { type: 'string' },
    by: { type: 'string' },
    note: { type: 'string' },
    configuration: { type: 'string' },
    ...PLACE_OPTIONS,
  },
  async run({ positionals: [name, ...ids], values }) {
    return chosenCommand(commands, name, [])(values, ids);
  },
});
