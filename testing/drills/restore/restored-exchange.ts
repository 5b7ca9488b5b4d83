// An exchange on empty servers, restored with the command that an operator uses.

import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type OwnConnection, openConnection } from '../../../infra/postgres/index.ts';
import { checksumTables } from '../../../infra/projections/index.ts';
import {
  EXCHANGE,
  PROJECTION_SCHEMA,
  REGISTRY_SCHEMA,
} from '../../../tools/sandbox/sandbox-settings.ts';
import { type NatsServers, startNats } from '../../../tools/services/nats.ts';
import { type PostgresServer, startPostgres } from '../../../tools/services/postgres.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { waitUntilProjected } from '../harness/projected-schema.ts';
import { SupervisedProcess } from '../harness/supervised-process.ts';
import { secondsSince, type TableChecksums } from './source-exchange.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const WITHIN_MS = 1_800_000;
const STATEMENT_TIMEOUT_MS = 600_000;

export interface RestoreOutcome {
  readonly code: number | null;
  /** JSON of its last line. */
  readonly result: Readonly<Record<string, unknown>>;
  /** Its human-readable lines. */
  readonly report: string;
  readonly seconds: number;
}

export class RestoredExchange {
  readonly #folder: string;
  readonly #nats: NatsServers;
  readonly #postgres: PostgresServer;
  readonly #services: SupervisedProcess[] = [];
  readonly #connections: OwnConnection[] = [];

  private constructor(folder: string, nats: NatsServers, postgres: PostgresServer) {
    this.#folder = folder;
    this.#nats = nats;
    this.#postgres = postgres;
  }

  static async open(folder: string): Promise<RestoredExchange> {
    mkdirSync(folder, { recursive: true });
    const nats = startNats({ folder: join(folder, 'nats'), nodes: 1 });
    const postgres = startPostgres({ folder: join(folder, 'postgres') });
    return new RestoredExchange(folder, await nats, await postgres);
  }

  /** Runs `rialto restore run` with these options. */
  async restore(options: readonly string[]): Promise<RestoreOutcome> {
    const startedMs = performance.now();
    const args = [join(REPOSITORY, 'tools/cli/main.ts'), 'restore', 'run', ...options];
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH, ...this.#settings() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on('data', (bytes: Buffer) => void out.push(bytes.toString()));
    child.stderr.on('data', (bytes: Buffer) => void err.push(bytes.toString()));
    const code = await new Promise<number | null>((done) => child.once('close', done));
    const report = err.join('');
    const last = out.join('').trim().split('\n').at(-1) ?? '';
    if (!last.startsWith('{')) throw new Error(`The restore failed (${code}):\n${report}`);
    return { code, result: JSON.parse(last), report, seconds: secondsSince(startedMs) };
  }

  connect(schema: string = REGISTRY_SCHEMA): Promise<OwnConnection> {
    const { url } = this.#postgres;
    const limits = { name: 'drill', statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    return openConnection({ url, schema, ...limits }).then((connection) => {
      this.#connections.push(connection);
      return connection;
    });
  }

  /** Fills the tables from zero with the projector. */
  async project(frame: number): Promise<TableChecksums> {
    this.#start('projector');
    const connection = await this.connect(PROJECTION_SCHEMA);
    await waitUntilProjected(connection, frame);
    return checksumTables(connection);
  }

  /** Runs the dispatcher, which finds the outcomes of rows that the log has. */
  async settleOutbox(): Promise<void> {
    this.#start('sequencer');
    this.#start('outbox-dispatcher');
    const connection = await this.connect();
    await waitUntil({
      what: 'no outbox row is pending',
      timeoutMs: WITHIN_MS,
      question: async () => {
        const { rows } = await connection.query(
          `select count(*)::int as count from outbox where state = 'waiting'`,
        );
        return rows[0].count === 0;
      },
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#services.map((service) => service.stop()));
    for (const connection of this.#connections) await connection.end();
    await this.#nats.stop();
    await this.#postgres.stop();
  }

  #start(service: string): void {
    this.#services.push(
      new SupervisedProcess({
        name: service,
        program: `services/${service}/main.ts`,
        settings: { ...this.#settings(), RIALTO_INSTANCE: service, RIALTO_LOG_LEVEL: 'warn' },
        logFile: join(this.#folder, `${service}.log`),
        onExit: ({ code, logTail }) => console.log(`${service} exited with ${code}:\n${logTail}`),
      }),
    );
  }

  #settings(): Record<string, string> {
    return {
      RIALTO_MODE: 'development',
      RIALTO_EXCHANGE: EXCHANGE,
      RIALTO_REPLICAS: '1',
      RIALTO_NATS_URLS: this.#nats.urls.join(','),
      RIALTO_POSTGRES_URL: this.#postgres.url,
      RIALTO_POSTGRES_SCHEMA: PROJECTION_SCHEMA,
      RIALTO_REGISTRY_SCHEMA: REGISTRY_SCHEMA,
    };
  }
}
