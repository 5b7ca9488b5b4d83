// The processes of the trim drill: log servers that can be lost, two sequencers, an archivist with
// two folders, a projector, a publisher and clients.

import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { connectNats, type Nats } from '../../../infra/bus/index.ts';
import { type Extent, JetStreamLog, journalNames } from '../../../infra/journal/index.ts';
import type { OwnConnection } from '../../../infra/postgres/index.ts';
import { checksumTables } from '../../../infra/projections/index.ts';
import { type NatsServers, startNats } from '../../../tools/services/nats.ts';
import { type PostgresServer, startPostgres } from '../../../tools/services/postgres.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { ClientProcess } from '../journal/client-process.ts';
import { makeFolder, removeFolder } from '../journal/drill-folder.ts';
import { SupervisedProcess } from '../journal/supervised-process.ts';
import { freshSchema } from '../projector/drill-stage.ts';

export const EXCHANGE = 'rialto';
const WITHIN_MS = 3_600_000;
const EXIT_HALTED = 70;

export interface TrimPlan {
  readonly nodes: 1 | 3;
  readonly commands: number;
  readonly commandsPerSecond: number;
  readonly seed: number;
  /** Settings of the archivist. */
  readonly archivist: Readonly<Record<string, string>>;
}

export class TrimStage {
  readonly folder = makeFolder();
  readonly archiveFolder = join(this.folder, 'archive');
  readonly copyFolder = join(this.folder, 'copy');
  readonly halts: string[] = [];
  readonly plan: TrimPlan;
  #services: SupervisedProcess[] = [];
  #servers: NatsServers | undefined;
  #nats: Nats | undefined;
  #postgres: PostgresServer | undefined;
  #clients: ClientProcess | undefined;
  readonly #schemas = new Map<string, OwnConnection>();

  constructor(plan: TrimPlan) {
    this.plan = plan;
  }

  get nats(): Nats {
    return this.#nats!;
  }

  get clients(): ClientProcess {
    return this.#clients!;
  }

  get urls(): readonly string[] {
    return this.#servers!.urls;
  }

  async open(): Promise<void> {
    this.#postgres = await startPostgres({ folder: join(this.folder, 'postgres') });
    await this.startServers();
    await this.addSchema('tables');
    this.startServices();
  }

  async startServers(): Promise<void> {
    const { nodes } = this.plan;
    // The whole cluster is lost at once, so nothing depends on synced writes.
    const folder = join(this.folder, 'nats');
    this.#servers = await startNats({ folder, nodes, syncAlways: false });
    this.#nats = await connectNats({ urls: this.urls, name: 'drill' });
  }

  startServices(): void {
    for (const name of ['s1', 's2']) this.start('sequencer', name, {});
    this.start('archivist', 'archivist', {
      RIALTO_ARCHIVE_FOLDER: this.archiveFolder,
      RIALTO_ARCHIVE_COPY_FOLDER: this.copyFolder,
      RIALTO_TRIM_FOLLOWERS: 'projector,publisher',
      ...this.plan.archivist,
    });
    this.start('projector', 'projector', this.schemaSettings('tables'));
    this.start('publisher', 'publisher', {
      RIALTO_CHECKPOINT_EVERY_MS: '2000',
      RIALTO_ARCHIVE_FOLDER: this.copyFolder,
    });
  }

  startClients(): Promise<void> {
    const { commandsPerSecond, seed } = this.plan;
    const pace = { commandsPerSecond, slowCommandsPerSecond: commandsPerSecond };
    this.#clients = new ClientProcess(
      {
        urls: this.urls,
        exchange: EXCHANGE,
        seed,
        folder: this.folder,
        clients: 4,
        pendingMaxPerClient: 1_000,
        ...pace,
      },
      join(this.folder, 'clients.log'),
    );
    return this.#clients.waitUntilTrading();
  }

  async addSchema(schema: string): Promise<void> {
    this.#schemas.set(schema, await freshSchema(this.#postgres!, schema));
  }

  schemaSettings(schema: string): Record<string, string> {
    return {
      RIALTO_POSTGRES_URL: this.#postgres!.url,
      RIALTO_POSTGRES_SCHEMA: schema,
      RIALTO_ARCHIVE_FOLDER: this.copyFolder,
    };
  }

  start(service: string, name: string, settings: Readonly<Record<string, string>>): void {
    const logFile = join(this.folder, `${name}.log`);
    this.#services.push(
      new SupervisedProcess({
        name,
        program: `services/${service}/main.ts`,
        settings: { ...this.journalSettings(), RIALTO_INSTANCE: name, ...settings },
        logFile,
        onExit: ({ code, logTail }) => {
          if (code === EXIT_HALTED) this.halts.push(`${name} halted:\n${logTail}`);
        },
      }),
    );
  }

  journalSettings(): Record<string, string> {
    return {
      RIALTO_MODE: 'development',
      RIALTO_EXCHANGE: EXCHANGE,
      RIALTO_REPLICAS: String(this.plan.nodes),
      RIALTO_NATS_URLS: this.urls.join(','),
    };
  }

  /** Stops processes whose names begin so; all without a name. */
  async stop(prefix = ''): Promise<void> {
    const stopped = this.#services.filter(({ name }) => name.startsWith(prefix));
    this.#services = this.#services.filter((service) => !stopped.includes(service));
    await Promise.all(stopped.map((service) => service.stop()));
  }

  /** All servers of the log and their disks are gone. */
  async loseCluster(): Promise<void> {
    await this.#nats?.close();
    await this.#servers?.stop();
    rmSync(join(this.folder, 'nats'), { recursive: true });
  }

  /** The bytes of one server's copy of both logs on disk. */
  storeBytes(): number {
    const [node] = this.#servers!.nodes;
    const streams = join(this.folder, 'nats', node.name, 'store/jetstream/$G/streams');
    const { commands, events } = journalNames(EXCHANGE);
    return [commands, events].reduce((sum, { stream }) => {
      const output = execFileSync('du', ['-sb', join(streams, stream)]).toString();
      return sum + Number(output.split('\t')[0]);
    }, 0);
  }

  async extent(log: 'commands' | 'events'): Promise<Extent> {
    const stream = new JetStreamLog({ nats: this.nats, ...journalNames(EXCHANGE)[log] });
    try {
      let found: Extent | undefined;
      const question = async () => {
        found = await new Promise<Extent | undefined>((done) => stream.extent(done));
        return found !== undefined;
      };
      await waitUntil({ what: 'the log answers', timeoutMs: 60_000, question });
      return found!;
    } finally {
      stream.stop();
    }
  }

  /** Waits until the tables of a schema contain the end of the log. */
  async waitUntilProjected(schema: string): Promise<void> {
    await waitUntil({
      what: `${schema} contains the whole log`,
      timeoutMs: WITHIN_MS,
      question: async () => {
        const { rows } = await this.#schemas
          .get(schema)!
          .query('select frame_sequence::float8 as frame, is_complete from projection');
        const { last } = await this.extent('commands');
        return rows.length > 0 && rows[0].is_complete && rows[0].frame === last;
      },
    });
  }

  async checksums(schema: string): Promise<string> {
    return JSON.stringify(await checksumTables(this.#schemas.get(schema)!));
  }

  async close(): Promise<void> {
    await this.#clients?.stop();
    await this.stop();
    await this.#nats?.close();
    await this.#servers?.stop();
    for (const connection of this.#schemas.values()) await connection.end();
    await this.#postgres?.stop();
    if (process.env.RIALTO_KEEP === undefined) removeFolder(this.folder);
    else console.log(`kept: ${this.folder}`);
  }
}
