// `rialto backup`: creates, lists, verifies, prunes and reports backups of an entire exchange.

import { openJournal } from '../../infra/journal/index.ts';
import { openConnection, postgresAddress } from '../../infra/postgres/index.ts';
import { createLogger } from '../../infra/process/index.ts';
import { readServiceConfig, readToolConfig } from '../../infra/settings/index.ts';
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
import { withProgress } from '../progress.ts';
import { countText, tableLines } from '../text-table.ts';
import { createBackup } from './create-backup.ts';
import { chosenBackup, listBackups, readManifest, storedBytes, verifyFiles } from './manifest.ts';
import { type OpenedPlace, openPlace, PLACE_OPTIONS, PLACE_USAGE } from './options.ts';
import { pruneBackups } from './prune-backups.ts';
import { reportBackup } from './report-backup.ts';

const STATEMENT_TIMEOUT_MS = 3_600_000;

interface Values {
  readonly configuration?: string | undefined;
  readonly keep?: string | undefined;
  readonly 'wait-s': string;
}

type Command = (
  place: OpenedPlace,
  id: string | undefined,
  values: Values,
) => Promise<number | undefined>;

const commands: Record<string, Command> = {
  async create({ key, keyFile, store }, _id, values) {
    const config = { ...readServiceConfig('archivist', serviceEnvironment()), instance: 'backup' };
    const database = readToolConfig(process.env, DATABASE_KEYS);
    await assertNatsReachable(config.natsUrls);
    const log = createLogger({ service: 'backup', instance: 'backup', level: 'warn' });
    const journal = await openJournal({ config, as: 'archivist', log });
    const connection = await openConnection({
      ...postgresAddress(database, database.mode),
      schema: database.registrySchema,
      name: 'backup',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    }).catch(async (fault: unknown) => {
      await journal.close();
      throw fault;
    });
    try {
      const { copiedBytes, copiedFiles, manifest } = await createBackup({
        store,
        key,
        exchange: config.exchange,
        connection,
        registrySchema: database.registrySchema,
        commands: journal.commands,
        archiveFolder: config.archiveFolder,
        archiveWaitMs: 1_000 * wholeNumber('wait-s', values['wait-s'], { min: 0 }),
        configurationFolder: values.configuration,
        secretFiles: [
          keyFile,
          ...((database.accessKeyFile ?? '') ? [database.accessKeyFile!] : []),
        ],
        print: (line) => console.error(line),
      });
      const { id, log: position } = manifest;
      const unreported = await reportBackup(
        { manifest, place: store.place, isVerified: false },
        process.env,
      );
      if (unreported !== undefined) console.error(unreported);
      const bytes = storedBytes(manifest);
      const isReported = unreported === undefined;
      const sizes = { bytes, copiedFiles, copiedBytes };
      console.log(JSON.stringify({ id, ...position, ...sizes, reported: isReported }));
      return EXIT_OK;
    } finally {
      await connection.end();
      await journal.close();
    }
  },

  async list({ key, store }) {
    const rows: string[][] = [];
    for (const id of await listBackups(store)) {
      const manifest = await readManifest(store, key, id);
      const { log, release } = manifest;
      const sizes = [log.sequence, log.commands, storedBytes(manifest)].map(countText);
      rows.push([id, ...sizes, release.version]);
    }
    const columns = [
      { title: 'backup' },
      { title: 'frame', isNumber: true },
      { title: 'commands', isNumber: true },
      { title: 'bytes', isNumber: true },
      { title: 'release' },
    ];
    for (const line of tableLines(columns, rows)) console.log(line);
    return EXIT_OK;
  },

  async verify({ key, store }, id) {
    const manifest = await chosenBackup(store, key, id);
    const faults = await withProgress('verifying files', (onFile) =>
      verifyFiles(store, key, manifest, onFile),
    );
    for (const { message } of faults) console.error(message);
    const verdict = faults.length === 0 ? 'SOUND' : 'NOT SOUND';
    console.log(`${verdict}  backup ${manifest.id}, ${countText(manifest.files.length)} files`);
    return faults.length === 0 ? EXIT_OK : EXIT_FAILED;
  },

  async prune({ key, store }, _id, { keep }) {
    if (keep === undefined) throw new UsageFault('--keep is required.');
    const removed = await pruneBackups(store, key, wholeNumber('keep', keep, { min: 1 }));
    for (const id of removed) console.log(`removed ${id}`);
    return EXIT_OK;
  },

  async report({ key, store }, id) {
    const manifest = await chosenBackup(store, key, id);
    const report = { manifest, place: store.place, isVerified: true };
    const unreported = await reportBackup(report, process.env);
    if (unreported !== undefined) throw new ToolFault(unreported);
    console.log(`reported ${manifest.id} as restored and compared`);
    return EXIT_OK;
  },
};

await runTool({
  usage: `Usage: rialto backup COMMAND --to PLACE --key-file FILE [ID]

Creates and checks encrypted backups of an exchange (registry, log and
configuration) in a folder or at s3://BUCKET/PREFIX. See docs/operating/backup.md.

  create    create a backup and record it with the exchange in the profile
  list      list backups at the location
  verify    read and check every file of the newest backup, or of ID
  prune     remove all but the most recent backups (log segments are kept)
  report    record a successful restore test of the newest backup, or of ID

  --to PLACE    backup folder, or s3://BUCKET/PREFIX
${PLACE_USAGE}
  --configuration FOLDER
                create: back up these files too, without the access key
  --wait-s N    create: seconds to wait for the archivist (default 600)
  --keep N      prune: number of backups to keep

Environment variables for create: those of the archivist and of migrate.`,
  takesPositionals: true,
  options: {
    to: { type: 'string' },
    ...PLACE_OPTIONS,
    configuration: { type: 'string' },
    'wait-s': { type: 'string', default: '600' },
    keep: { type: 'string' },
  },
  async run({ positionals: [name, id, ...others], values }) {
    const command = chosenCommand(commands, name, others);
    return command(openPlace(values.to, '--to', values), id, values);
  },
});
