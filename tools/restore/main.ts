// `rialto restore`: an exchange on empty servers, from a backup; the log alone, from an archive;
// and the reconciliation of an older registry with the log.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Archive, createJournal, openArchive } from '../../infra/journal/index.ts';
import { migrate, type OwnConnection } from '../../infra/postgres/index.ts';
import { createLogger } from '../../infra/process/index.ts';
import { readProjectionMigrations } from '../../infra/projections/index.ts';
import { readServiceConfig, readToolConfig } from '../../infra/settings/index.ts';
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
import { withRegistryConnection } from '../registry-tool.ts';
import { fetchBackup } from './fetch-backup.ts';
import { assertNoRegistry, loadRegistry } from './load-registry.ts';
import { isClean, type Reconciled, reconcile } from './reconcile.ts';
import { restoreJournal } from './restore.ts';

const STATEMENT_TIMEOUT_MS = 3_600_000;

interface Values {
  readonly archive?: string | undefined;
  readonly from?: string | undefined;
  readonly at?: string | undefined;
  readonly configuration?: string | undefined;
  readonly 'key-file'?: string | undefined;
  readonly 's3-file'?: string | undefined;
}

const commands: Record<string, (values: Values, id: string | undefined) => Promise<number>> = {
  run: restoreAll,

  async log(values) {
    const archive = await openArchive(archiveFolder(values), 'read');
    const restored = await withProgress('restoring frames', (onFrames) =>
      restoreLog(archive, { at: position(values), onFrames }),
    );
    console.log(JSON.stringify(restored));
    return EXIT_OK;
  },

  async reconcile(values) {
    const archive = await openArchive(archiveFolder(values), 'read');
    const at = position(values) ?? archive.end.sequence;
    return withDatabase(async (connection) => {
      const found = await reconciled(connection, archive, at);
      console.log(JSON.stringify(countsOf(found)));
      return isClean(found) ? EXIT_OK : EXIT_FAILED;
    });
  },
};

/** First everything is fetched and verified, then the log, then the registry. */
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
      console.error(`backup ${manifest.id} is complete and sound`);
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
      const found = await reconciled(connection, archive, restored.frames);
      console.log(JSON.stringify({ ...restored, registryRows: rows, ...countsOf(found) }));
      return isClean(found) ? EXIT_OK : EXIT_FAILED;
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
      'may never be behind the registry. `rialto restore log` restores the log alone.',
  );
}

async function restoreLog(
  archive: Archive,
  options: Pick<Parameters<typeof restoreJournal>[0], 'at' | 'snapshot' | 'onFrames'>,
) {
  const config = { ...readServiceConfig('sequencer', serviceEnvironment()), instance: 'restore' };
  await assertNatsReachable(config.natsUrls);
  const log = createLogger({ service: 'restore', instance: 'restore', level: 'warn' });
  const journal = await createJournal({ config, as: 'sequencer', log });
  try {
    const { commands, events } = journal;
    const restored = await restoreJournal({ archive, commands, events, ...options });
    // Until now, services refuse the log.
    await journal.name((await archive.exchangeId()) ?? '');
    return restored;
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
  archive: Archive,
  at: number,
): Promise<Reconciled> {
  const found = await withProgress('reading money commands', (onFrame) =>
    reconcile({ connection, archive, at, onFrame }),
  );
  for (const line of found.raised) console.error(`raised: ${line}`);
  for (const line of found.withoutRequest) console.error(`without a request: ${line}`);
  for (const line of found.otherCommand) console.error(`another command than asked: ${line}`);
  for (const line of found.unknownUsers) console.error(`unknown to the registry: ${line}`);
  for (const line of found.lostAudit) console.error(`audit: ${line}`);
  return found;
}

function countsOf(found: Reconciled) {
  return {
    withoutRequest: found.withoutRequest.length,
    otherCommand: found.otherCommand.length,
    unknownUsers: found.unknownUsers.length,
    lostAudit: found.lostAudit.length,
    raised: found.raised.length,
    marked: found.marked,
  };
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
  if (archive === undefined) throw new UsageFault('--archive is missing.');
  return archive;
}

function position({ at }: Values): number | undefined {
  return at === undefined ? undefined : wholeNumber('at', at, { min: 1 });
}

await runTool({
  usage: `Usage: rialto restore COMMAND --archive FOLDER [OPTIONS] [ID]

Restores an exchange on empty servers. Stop all its processes first. An
interrupted restore can be repeated. The last line is one JSON object; the exit
code is 1 if a person must decide about money. See docs/operating/backup.md.

  run         the newest backup of --from, or ID: verifies all files, then
              restores the log and the registry, and reconciles them
  log         COMMANDS and EVENTS alone, from a copy of the archive
  reconcile   raise the positions and numbers of an older registry to those of
              the log, and list the money commands that it does not know

  --archive F   the archive's folder; run adds the files of the backup to it,
                and also restores newer segments that it has
  --from PLACE  the folder of the backups, or s3://BUCKET/PREFIX
${PLACE_USAGE}
  --at N        up to frame N of the log, not to its end
  --configuration FOLDER
                run: writes the configuration files of the backup there

Environment variables: those of a sequencer, and of migrate.`,
  takesPositionals: true,
  options: {
    archive: { type: 'string' },
    from: { type: 'string' },
    at: { type: 'string' },
    configuration: { type: 'string' },
    ...PLACE_OPTIONS,
  },
  async run({ positionals: [name, id, ...others], values }) {
    return chosenCommand(commands, name, others)(values, id);
  },
});
