// The exchange that the drill loses: orders and withdrawals run while a backup is taken, the log is
// trimmed, and everything that must be restored is measured.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Extent,
  JetStreamLog,
  journalNames,
  openArchive,
} from '../../../infra/journal/index.ts';
import { type OwnConnection, openConnection } from '../../../infra/postgres/index.ts';
import { checksumTables } from '../../../infra/projections/index.ts';
import { Replica, replayTo } from '../../../infra/replica/index.ts';
import type { BackupKey } from '../../../tools/backup/backup-key.ts';
import { type CreatedBackup, createBackup } from '../../../tools/backup/create-backup.ts';
import { FolderStore } from '../../../tools/backup/folder-store.ts';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import {
  archiveFolder,
  EXCHANGE,
  PROJECTION_SCHEMA,
  REGISTRY_SCHEMA,
} from '../../../tools/sandbox/sandbox-settings.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { fillBooks } from '../harness/fill-books.ts';
import { OrderLoad } from '../harness/order-load.ts';
import { waitUntilProjected } from '../harness/projected-schema.ts';
import { extentOf } from '../harness/read-log.ts';
import { ADDRESS } from '../withdrawals/stage.ts';
import { registryChecksums } from './registry-checksums.ts';

const WITHIN_MS = 1_800_000;
const STATEMENT_TIMEOUT_MS = 600_000;
const PLACERS = 2;

export type TableChecksums = Awaited<ReturnType<typeof checksumTables>>;

/** Everything that a restore must return. */
export interface Truth {
  readonly sequence: number;
  readonly stateHash: string;
  readonly tables: TableChecksums;
}

export interface Taken {
  readonly backup: CreatedBackup;
  readonly seconds: number;
  /** Registry checksums, as seen by the backup's transaction. */
  readonly registry: Readonly<Record<string, string>>;
  readonly truth: Truth;
  /** First frame that the trimmed log still has. */
  readonly firstFrame: number;
}

export class SourceExchange {
  readonly #sandbox: Sandbox;
  readonly #load: OrderLoad;

  private constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    this.#load = new OrderLoad(sandbox);
  }

  /** Resolves when trading has started. */
  static async open(folder: string, orders: number, snapshotEveryMs: number) {
    const sandbox = await startSandbox({
      folder: join(folder, 'source'),
      withArchivist: true,
      checkAnswers: false,
      logLevel: 'warn',
      archivistSettings: {
        RIALTO_ARCHIVE_COPY_FOLDER: join(folder, 'source/archive-copy'),
        RIALTO_SEGMENT_EVERY_MS: '1000',
        RIALTO_SNAPSHOT_EVERY_MS: String(snapshotEveryMs),
        RIALTO_TRIM_EVERY_MS: '1000',
        RIALTO_COMMANDS_KEPT_MS: '2000',
        RIALTO_EVENTS_KEPT_MS: '1000',
        RIALTO_TRIM_MARGIN_FRAMES: '10',
      },
    });
    const traders = await sandbox.createTraders({ count: PLACERS });
    await fillBooks(sandbox, orders);
    const exchange = new SourceExchange(sandbox);
    exchange.#load.start(traders);
    await (await exchange.#waitUntilProjected()).end();
    await exchange.withdraw(2);
    await exchange.#waitUntilTrimmed();
    return exchange;
  }

  get placed(): number {
    return this.#load.answered;
  }

  /** Requests withdrawals; resolves when the engine has answered them. */
  async withdraw(count: number): Promise<void> {
    const bob = new RestClient({ url: this.#sandbox.url, ...this.#sandbox.seeded.users.bob });
    const terms = { currency: 'btc', amount: 0.01, address: ADDRESS, network: 'btc' };
    for (let at = 0; at < count; at++) {
      const { status, text } = await bob.post('/user/withdrawal', terms);
      if (status !== 200) throw new Error(`a withdrawal was refused: ${text}`);
    }
  }

  /**
   * Takes a backup while clients trade. Withdrawals are requested before the registry is read, and
   * reach the engine afterwards, so the log is ahead of the outbox rows.
   */
  async backUp(place: string, key: BackupKey, inFlight: number): Promise<Taken> {
    const dispatcher = this.#sandbox.service('outbox-dispatcher');
    await dispatcher.kill('SIGSTOP');
    const withdrawing = Promise.all(Array.from({ length: inFlight }, () => this.withdraw(1)));
    await this.#waitForOutbox(inFlight);
    const connection = await this.#connect(REGISTRY_SCHEMA);
    let registry: Record<string, string> = {};
    let truth: Truth | undefined;
    const startedMs = performance.now();
    let heldMs = 0;
    try {
      const backup = await createBackup({
        store: new FolderStore(place),
        key,
        exchange: EXCHANGE,
        connection,
        registrySchema: REGISTRY_SCHEMA,
        commands: this.#log(),
        archiveFolder: archiveFolder(this.#sandbox.folder),
        archiveWaitMs: WITHIN_MS,
        secretFiles: [],
        print: (line) => console.log(line),
        onPosition: async () => {
          const heldSince = performance.now();
          registry = await registryChecksums(connection, REGISTRY_SCHEMA);
          await dispatcher.kill('SIGCONT');
          await withdrawing;
          await this.#load.stop();
          truth = await this.truth();
          heldMs = performance.now() - heldSince;
        },
      });
      const seconds = secondsSince(startedMs + heldMs);
      const firstFrame = (await this.#extent()).first;
      return { backup, seconds, registry, truth: truth!, firstFrame };
    } finally {
      await connection.end();
    }
  }

  /** Waits until everything is archived and projected. No client trades during that time. */
  async truth(): Promise<Truth> {
    const { last } = await this.#extent();
    const folder = archiveFolder(this.#sandbox.folder);
    await waitUntil({
      what: `the archive has frame ${last}`,
      timeoutMs: WITHIN_MS,
      question: async () => (await openArchive(folder, 'read')).end.sequence === last,
    });
    const replica = Replica.create();
    await replayTo(await openArchive(folder, 'read'), replica, last);
    const connection = await this.#waitUntilProjected();
    const tables = await checksumTables(connection);
    await connection.end();
    return { sequence: last, stateHash: replica.stateHash(), tables };
  }

  /** Returns the positions of all money commands in the registry, as `channel.sequence`. */
  async moneyPositions(): Promise<ReadonlySet<string>> {
    const { rows } = await this.#sandbox.admin.registry.query(
      `select channel || '.' || sequence as position from outbox where state <> 'waiting'`,
    );
    return new Set(rows.map(({ position }) => position));
  }

  /** Creates a second copy of the archive, which is not lost. */
  copyArchive(to: string): void {
    cpSync(archiveFolder(this.#sandbox.folder), to, { recursive: true });
  }

  async stop(): Promise<void> {
    await this.#load.stop().catch(() => {});
    await this.#sandbox.stop();
  }

  #connect(schema: string) {
    const { url } = this.#sandbox.postgres;
    return openConnection({ url, schema, name: 'drill', statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  }

  #log(): JetStreamLog {
    const { nats } = this.#sandbox.admin;
    return new JetStreamLog({ nats, ...journalNames(EXCHANGE).commands });
  }

  #extent(): Promise<Extent> {
    return extentOf(this.#log());
  }

  async #waitForOutbox(count: number): Promise<void> {
    await waitUntil({
      what: `${count} withdrawals are pending in the outbox`,
      timeoutMs: WITHIN_MS,
      question: async () => {
        const { rows } = await this.#sandbox.admin.registry.query(
          `select count(*)::int as count from outbox where state = 'waiting'`,
        );
        return rows[0].count === count;
      },
    });
  }

  async #waitUntilProjected(): Promise<OwnConnection> {
    const { last } = await this.#extent();
    const connection = await this.#connect(PROJECTION_SCHEMA);
    await waitUntilProjected(connection, last);
    return connection;
  }

  async #waitUntilTrimmed(): Promise<void> {
    await waitUntil({
      what: 'the log is trimmed',
      timeoutMs: WITHIN_MS,
      question: async () => (await this.#extent()).first > 1,
    });
  }
}

export function secondsSince(startedMs: number): number {
  return Math.round((performance.now() - startedMs) / 100) / 10;
}
