// Processes of the trim drill: log servers that can be lost, two sequencers, an archivist with two
// folders, a projector, a publisher and clients.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Extent, journalNames } from '../../../infra/journal/index.ts';
import type { OwnConnection } from '../../../infra/postgres/index.ts';
import { checksumTables } from '../../../infra/projections/index.ts';
import { type PostgresServer, startPostgres } from '../../../tools/services/postgres.ts';
import { EXCHANGE, LogStage } from '../harness/log-stage.ts';
import { freshSchema, waitUntilProjected } from '../harness/projected-schema.ts';
import { readExtent } from '../harness/read-log.ts';
import { ClientProcess } from '../journal/client-process.ts';

export interface TrimPlan {
  readonly nodes: 1 | 3;
  readonly commands: number;
  readonly commandsPerSecond: number;
  readonly seed: number;
  /** Settings of the archivist. */
  readonly archivist: Readonly<Record<string, string>>;
}

export class TrimStage {
  readonly log = new LogStage('trim');
  readonly archiveFolder = join(this.log.folder, 'archive');
  readonly copyFolder = join(this.log.folder, 'copy');
  readonly plan: TrimPlan;
  #postgres: PostgresServer | undefined;
  #clients: ClientProcess | undefined;
  readonly #schemas = new Map<string, OwnConnection>();

  constructor(plan: TrimPlan) {
    this.plan = plan;
  }

  get clients(): ClientProcess {
    return this.#clients!;
  }

  async open(): Promise<void> {
    this.#postgres = await startPostgres({ folder: join(this.log.folder, 'postgres') });
    await this.startServers();
    await this.log.createLog();
    await this.addSchema('tables');
    this.startServices();
  }

  /** All servers are lost together, so nothing depends on synced writes. */
  startServers(): Promise<void> {
    return this.log.startServers({ nodes: this.plan.nodes, syncAlways: false });
  }

  startServices(): void {
    for (const name of ['s1', 's2']) this.log.start('sequencer', { name });
    this.log.start('archivist', {
      settings: {
        RIALTO_ARCHIVE_FOLDER: this.archiveFolder,
        RIALTO_ARCHIVE_COPY_FOLDER: this.copyFolder,
        RIALTO_TRIM_FOLLOWERS: 'projector,publisher',
        ...this.plan.archivist,
      },
    });
    this.startProjector('projector', 'tables');
    this.log.start('publisher', {
      settings: { RIALTO_CHECKPOINT_EVERY_MS: '2000', RIALTO_ARCHIVE_FOLDER: this.copyFolder },
    });
  }

  startProjector(name: string, schema: string): void {
    const settings = {
      RIALTO_POSTGRES_URL: this.#postgres!.url,
      RIALTO_POSTGRES_SCHEMA: schema,
      RIALTO_ARCHIVE_FOLDER: this.copyFolder,
    };
    this.log.start('projector', { name, settings });
  }

  startClients(): Promise<void> {
    const { commandsPerSecond, seed } = this.plan;
    const { folder, urls } = this.log;
    const pace = { commandsPerSecond, slowCommandsPerSecond: commandsPerSecond };
    const traffic = { clients: 4, ...pace, pendingMaxPerClient: 1_000 };
    this.#clients = new ClientProcess(
      { urls, exchange: EXCHANGE, seed, folder, ...traffic },
      join(folder, 'clients.log'),
    );
    return this.#clients.waitUntilTrading();
  }

  async addSchema(schema: string): Promise<void> {
    this.#schemas.set(schema, await freshSchema(this.#postgres!, schema));
  }

  /** Returns the bytes of one server's replica of both logs on disk. */
  storeBytes(): number {
    const [node] = this.log.nodes;
    const streams = join(this.log.folder, 'nats', node.name, 'store/jetstream/$G/streams');
    const { commands, events } = journalNames(EXCHANGE);
    return [commands, events].reduce((sum, { stream }) => {
      const output = execFileSync('du', ['-sb', join(streams, stream)]).toString();
      return sum + Number(output.split('\t')[0]);
    }, 0);
  }

  /** Returns the first and last frame of COMMANDS. */
  extent(): Promise<Extent> {
    return readExtent(this.log.nats, journalNames(EXCHANGE).commands);
  }

  /** Waits until the tables of a schema contain the end of the log. */
  async waitUntilProjected(schema: string): Promise<void> {
    await waitUntilProjected(this.#schemas.get(schema)!, (await this.extent()).last);
  }

  async checksums(schema: string): Promise<string> {
    return JSON.stringify(await checksumTables(this.#schemas.get(schema)!));
  }

  async close(): Promise<void> {
    await this.#clients?.stop();
    await this.log.stop();
    for (const connection of this.#schemas.values()) await connection.end();
    await this.#postgres?.stop();
    await this.log.close();
  }
}
