// Backs up a real registry and an archived log, and restores them into an empty schema: every row
// is the same, and a log ahead of the registry is reconciled and reported.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Command } from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import { type Archive, openArchive } from '../../infra/journal/index.ts';
import { migrate, type OwnConnection } from '../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { enqueue, OUTBOX_CHANNELS, type OutboxCommand } from '../../platform/outbox/index.ts';
import { registryChecksums } from '../../testing/drills/restore/registry-checksums.ts';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../testing/projections/postgres-for-test.ts';
import { ArchiveRecorder } from '../replay/archive-recorder-for-test.ts';
import { fetchBackup } from '../restore/fetch-backup.ts';
import { loadRegistry } from '../restore/load-registry.ts';
import { isClean, reconcile } from '../restore/reconcile.ts';
import { folderForTest, KEY, s3StoreForTest } from './backup-for-test.ts';
import { type BackupOptions, createBackup } from './create-backup.ts';
import { FolderStore } from './folder-store.ts';
import { listBackups, type Manifest, verifyFiles } from './manifest.ts';

const BTC = 1;
/** User who signed up, and got an engine account, after the registry was read. */
const LATE_USER = 9;
const LATE_WITHDRAWAL = 77;
/** End of the log when the registry is read. */
const REGISTRY_FRAME = 2;
const ODD_TEXT = 'tab\t, line\nbreak\r, back\\slash, \\N, "quotes", \u0001 and \u{1f9ff}';

const cleanups: (() => void | Promise<void>)[] = [];
const ending = { after: (end: () => void | Promise<void>) => void cleanups.push(end) };
const folder = folderForTest(ending as never);
const archiveFolder = join(folder, 'archive');
const store = new FolderStore(join(folder, 'backups'));

let postgres: PostgresForTest;
let source: OwnConnection;
let manifest: Manifest;
let checksums: Record<string, string>;

const position = (channel: number, channelSequence: number) => ({ channel, channelSequence });
const withdrawal = (id: number, user: number) => ({
  kind: 'OpenWithdrawal' as const,
  withdrawal: id,
  user,
  asset: BTC,
  amountAtoms: 100_000n,
  feeAsset: BTC,
  feeAtoms: 10n,
  destination: '',
});
const deposit = (user: number) => ({
  kind: 'CreditDeposit' as const,
  user,
  asset: BTC,
  amountAtoms: 500_000_000n,
  reference: `deposit of ${user}`,
});

/** Frame 2 credits, frame 3 opens a pending withdrawal, frames 4 and 5 are unknown. */
async function recordArchive(): Promise<Archive> {
  const { deposits, withdrawals } = OUTBOX_CHANNELS;
  const recorder = await ArchiveRecorder.start(archiveFolder);
  const frames = [
    [{ kind: 'ListAsset', symbol: 'btc', scale: 8, issuanceCapAtoms: 10n ** 15n }],
    [{ ...deposit(1), ...position(deposits, 1) }],
    [{ ...withdrawal(1, 1), ...position(withdrawals, 1) }],
    [{ ...deposit(LATE_USER), ...position(deposits, 2) }],
    [{ ...withdrawal(LATE_WITHDRAWAL, LATE_USER), ...position(withdrawals, 2) }],
  ];
  for (const [at, commands] of frames.entries()) {
    recorder.apply({
      sequence: at + 1,
      epoch: 1,
      timeMs: (1_000 * (at + 1)) as TimeMs,
      previousHash: new Uint8Array(32),
      commands: commands.map((command) => ({ ...command, source: 1, number: at + 1 }) as Command),
    });
    await recorder.endSegment();
    if (at === 2) await recorder.keepSnapshot();
  }
  return recorder.archive;
}

async function fillRegistry(): Promise<void> {
  await migrate(source, 'registry', readRegistryMigrations());
  const made = await createUser(source, { email: 'ada@example.com' });
  assert.ok(typeof made !== 'string');
  await source.query(
    `insert into announcements (title, message, type, is_popup, is_navbar, is_dropdown)
     values ($1, $2, 'news', true, false, false), ('empty', '', 'news', false, false, false)`,
    [ODD_TEXT, ODD_TEXT.repeat(50)],
  );
  // Its trigger writes a row to transfer_changes; a load with triggers would write another one.
  await source.query(
    `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_asset_id, fee_currency, fee_scale, fee_atoms, address, transaction_id, state,
       signature_hash)
     values ('withdrawal', $1, 1, 'btc', 8, 100000, 1, 'btc', 8, 10, 'address', 'uuid', 'opening',
       '\\x00ff0a5c')`,
    [made.id],
  );
  const asOutbox = (command: object) => command as OutboxCommand;
  await enqueue(source, asOutbox(deposit(1)), { channel: OUTBOX_CHANNELS.deposits });
  await enqueue(source, asOutbox(withdrawal(1, 1)), {
    channel: OUTBOX_CHANNELS.withdrawals,
    withdrawalRequest: 1,
  });
  await source.query(
    `update outbox set state = 'accepted', frame = 2, command_number = 2, settled_at = now()
     where channel = $1`,
    [OUTBOX_CHANNELS.deposits],
  );
}

function backupOptions(change: Partial<BackupOptions> = {}): BackupOptions {
  return {
    store,
    key: KEY,
    exchange: 'rialto',
    connection: source,
    registrySchema: 'registry',
    commands: { extent: (done) => done({ first: 1, last: REGISTRY_FRAME }) },
    archiveFolder,
    archiveWaitMs: 0,
    secretFiles: [],
    print: () => {},
    ...change,
  };
}

async function restored(schema: string): Promise<{ archive: Archive; connection: OwnConnection }> {
  const tablesFolder = join(folder, schema, 'tables');
  const archive = await fetchBackup({
    store,
    key: KEY,
    manifest,
    archiveFolder: join(folder, schema, 'archive'),
    tablesFolder,
    onFile: () => {},
  });
  const connection = await postgres.session(schema);
  const { registry } = manifest;
  await loadRegistry({ connection, schema, registry, tablesFolder, onTable: () => {} });
  return { archive, connection };
}

describe('a backup of a real database', () => {
  before(async () => {
    postgres = await startPostgresForTest({ after: (end) => void cleanups.push(end) });
    source = await postgres.session('registry');
    await fillRegistry();
    await recordArchive();
    ({ manifest } = await createBackup(
      backupOptions({
        onPosition: async () => {
          checksums = await registryChecksums(source, 'registry');
          // Another transaction commits during the dump: the backup must not contain it.
          const other = await postgres.session('registry');
          await createUser(other, { email: 'late@example.com' });
        },
      }),
    ));
  });
  after(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });

  test('the backup has its log position, and all files are valid', async () => {
    assert.deepEqual(
      [manifest.log.sequence, manifest.log.registrySequence, manifest.snapshot?.sequence],
      [5, REGISTRY_FRAME, 3],
    );
    assert.equal(manifest.files.filter(({ kind }) => kind === 'segment').length, 5);
    assert.deepEqual(await verifyFiles(store, KEY, manifest, () => {}), []);
    assert.deepEqual(await listBackups(store), [manifest.id]);
  });

  test('existing segments are not copied again', async () => {
    const names = (await store.list('segments/')).map(({ name }) => name);
    const connection = await postgres.session('registry');
    const other = new FolderStore(join(folder, 'backups'));
    const { copiedFiles, manifest: second } = await createBackup(
      backupOptions({ connection, store: other }),
    );
    const tables = second.files.filter(({ kind }) => kind === 'table').length;
    assert.equal(copiedFiles, tables + 1, 'tables and the snapshot');
    assert.deepEqual(
      (await store.list('segments/')).map(({ name }) => name),
      names,
    );
  });

  test('a backup in an S3 store has the same content', async (t) => {
    const s3 = await s3StoreForTest(t);
    const { manifest: stored } = await createBackup(backupOptions({ store: s3 }));
    assert.deepEqual(await verifyFiles(s3, KEY, stored, () => {}), []);
    const hashes = ({ files }: Manifest) =>
      files.filter(({ kind }) => kind === 'segment').map(({ of, sha256 }) => [of, sha256]);
    assert.deepEqual(hashes(stored), hashes(manifest));
    assert.match(s3.place, /^s3:/);
  });

  test('no backup is created if the archive lacks the end of the log', async () => {
    const commands: BackupOptions['commands'] = { extent: (done) => done({ first: 1, last: 6 }) };
    const count = (await listBackups(store)).length;
    await assert.rejects(createBackup(backupOptions({ commands })), /archive ends at frame 5/);
    assert.equal((await listBackups(store)).length, count);
  });

  test('an empty schema gets every row, and a log ahead of it is reconciled', async () => {
    const { archive, connection } = await restored('restored');
    assert.deepEqual(await registryChecksums(connection, 'restored'), checksums);
    const reconciled = (at: number) => reconcile({ connection, archive, at, onFrame: () => {} });
    await assert.rejects(
      reconciled(1),
      /an outcome of frame 2, which the log up to frame 1 lacks/,
      'the log is never behind',
    );
    const atRegistry = await reconciled(3);
    assert.ok(isClean(atRegistry), JSON.stringify(atRegistry));
    assert.equal(atRegistry.settled, 1, 'a row that waited has its outcome');
    const found = await reconciled(5);
    assert.equal(found.settled, 0, 'an earlier run settled it');
    assert.deepEqual(found.found, [
      'user 9 has accounts in the engine',
      '1970-01-01T00:00:04.000Z channel 12 position 2: CreditDeposit user 9, 5 btc, deposit of 9 ' +
        '(accepted, frame 4, command 4)',
      '1970-01-01T00:00:05.000Z channel 11 position 2: OpenWithdrawal withdrawal 77, user 9, ' +
        '0.001 btc (accepted, frame 5, command 5)',
    ]);
    assert.deepEqual(
      found.open.map(({ object }) => object),
      ['user 9', 'withdrawal 77'],
    );
    assert.ok(!isClean(found));
    // No number and no log position is assigned again.
    const user = await createUser(connection, { email: 'new@example.com' });
    assert.ok(typeof user !== 'string' && user.id > LATE_USER);
    const next = await enqueue(connection, withdrawal(78, 1) as never, { channel: 11 });
    assert.equal(next.sequence, 3);
    const { rows: ids } = await connection.query(
      `select nextval(pg_get_serial_sequence('withdrawal_requests', 'id'))::int as id`,
    );
    assert.equal(ids[0].id, LATE_WITHDRAWAL + 100_001);
    const again = await reconciled(5);
    assert.deepEqual([again.raised, again.found], [[], []], 'a second run corrects nothing');
    assert.deepEqual(again.open, found.open, 'and lists what is still open');
  });

  test('a database with users is never loaded', async () => {
    const { registry } = manifest;
    const load = { connection: source, schema: 'registry', registry, onTable: () => {} };
    await assert.rejects(loadRegistry({ ...load, tablesFolder: folder }), /has users/);
  });

  test('a damaged file stops the restore before anything is loaded', async () => {
    const [file] = manifest.files.filter(({ kind }) => kind === 'segment');
    await store.remove(file.name);
    await assert.rejects(restored('damaged'), /nothing was restored\.\nsegments\/.*: missing/);
    assert.ok(!readdirSync(join(folder, 'damaged/archive')).some((name) => name === file.of));
    const { rows } = await source.query(`select to_regnamespace('damaged') is null as is_absent`);
    assert.ok(rows[0].is_absent);
  });

  test('an archive of another log is rejected', async () => {
    const other = join(folder, 'other');
    const recorder = await ArchiveRecorder.start(other);
    const command = { kind: 'ListAsset', symbol: 'eth', scale: 8, issuanceCapAtoms: 10n ** 15n };
    recorder.apply({
      sequence: 1,
      epoch: 1,
      timeMs: 1_000 as TimeMs,
      previousHash: new Uint8Array(32),
      commands: [{ ...command, source: 1, number: 1 } as Command],
    });
    await recorder.endSegment();
    assert.equal((await openArchive(other, 'read')).end.sequence, 1);
    const fetched = fetchBackup({
      store,
      key: KEY,
      manifest,
      archiveFolder: other,
      tablesFolder: join(folder, 'other-tables'),
      onFile: () => {},
    });
    await assert.rejects(fetched, /another segment than that of the backup/);
  });
});
