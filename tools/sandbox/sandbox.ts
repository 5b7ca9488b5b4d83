// The whole exchange on one machine, as real processes on free ports: log, database, sequencers,
// followers, gateways. For tests, benches and `npm run dev`. Nothing stays behind: whatever ends
// this process ends them too.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readRegistryMigrations } from '../../domain/migrations/index.ts';
import { migrate, openConnection } from '../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../infra/projections/index.ts';
import { type NatsServers, startNats } from '../services/nats.ts';
import { type PostgresServer, startPostgres } from '../services/postgres.ts';
import { SandboxAdmin } from './sandbox-admin.ts';
import { SandboxService, type SandboxServiceOptions } from './sandbox-service.ts';
import {
  PROJECTION_SCHEMA,
  planSandbox,
  REGISTRY_SCHEMA,
  type SandboxPlan,
  type SandboxSettings,
} from './sandbox-settings.ts';
import { type Seeded, seedExchange } from './seed.ts';
import { type Trader, TraderMaker, type TraderWishes } from './traders.ts';

export interface SandboxOptions {
  /** Data are kept there and found again. Without it: a temporary folder, removed at the end. */
  readonly folder?: string;
  readonly natsNodes?: 1 | 3;
  readonly gateways?: 1 | 2;
  /** Websocket gateways; none unless told. */
  readonly streams?: 0 | 1 | 2;
  readonly withArchivist?: boolean;
  readonly budgets?: 'wide' | 'usual';
  readonly checkAnswers?: boolean;
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error';
  readonly accessLog?: boolean;
  readonly httpPort?: number;
  readonly gatewaySettings?: Readonly<Record<string, string>>;
  readonly streamPort?: number;
  readonly streamSettings?: Readonly<Record<string, string>>;
  /** Tells what is being done, one line each. */
  readonly say?: (line: string) => void;
}

const MIGRATION_TIMEOUT_MS = 60_000;

/** Resolves when the exchange trades: seeded, and every process ready. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const isTemporary = options.folder === undefined;
  const folder = isTemporary
    ? mkdtempSync(join(tmpdir(), 'rialto-sandbox-'))
    : resolve(options.folder);
  const sandbox = new Sandbox({ ...options, folder }, isTemporary);
  try {
    await sandbox.open();
    return sandbox;
  } catch (fault) {
    const logs = sandbox.logs();
    await sandbox.stop().catch(() => {});
    throw new Error(`The sandbox did not start.\n${logs}`, { cause: fault });
  }
}

export class Sandbox {
  readonly folder: string;
  readonly #options: SandboxOptions;
  readonly #isTemporary: boolean;
  readonly #services: SandboxService[] = [];
  #gateways: readonly SandboxService[] = [];
  #streams: readonly SandboxService[] = [];
  #nats: NatsServers | undefined;
  #postgres: PostgresServer | undefined;
  #desk: SandboxAdmin | undefined;
  #seeded: Seeded | undefined;
  #traders: TraderMaker | undefined;

  constructor(options: SandboxOptions & { readonly folder: string }, isTemporary: boolean) {
    this.folder = options.folder;
    this.#options = options;
    this.#isTemporary = isTemporary;
  }

  /** Of the REST interface, one for each gateway, without `/v2`. */
  get urls(): readonly string[] {
    return this.#gateways.map(({ url }) => url);
  }

  get url(): string {
    return this.urls[0];
  }

  /** Of the stream, one for each websocket gateway, with its path. */
  get streamUrls(): readonly string[] {
    return this.#streams.map(({ url }) => `${url.replace('http', 'ws')}/stream`);
  }

  get nats(): NatsServers {
    return this.#nats!;
  }

  get postgres(): PostgresServer {
    return this.#postgres!;
  }

  /** Speaks to the engine and the tables directly, as an operator's tools do. */
  get admin(): SandboxAdmin {
    return this.#desk!;
  }

  /** What was listed, and the users that are there from the start. */
  get seeded(): Seeded {
    return this.#seeded!;
  }

  /** Many users with keys and money, quickly; only on fresh data. */
  createTraders(wishes: TraderWishes): Promise<Trader[]> {
    this.#traders ??= new TraderMaker(this.admin, this.seeded);
    return this.#traders.make(wishes);
  }

  get services(): readonly SandboxService[] {
    return this.#services;
  }

  /** `sequencer-1`, `projector`, `publisher`, `dispatcher`, `gateway-http-1`, … */
  service(name: string): SandboxService {
    const found = this.#services.find((service) => service.name === name);
    if (found !== undefined) return found;
    const names = this.#services.map((service) => service.name).join(', ');
    throw new Error(`there is no ${name}; there are ${names}`);
  }

  /** The last lines of one process or of all, for whoever wants to know why. */
  logs(name?: string): string {
    const chosen = name === undefined ? this.#services : [this.service(name)];
    return chosen.map((service) => `── ${service.name}\n${service.log()}`).join('\n');
  }

  async open(): Promise<void> {
    const { folder } = this;
    const { natsNodes = 1, say = () => {} } = this.#options;
    const logFolder = join(folder, 'logs');
    rmSync(logFolder, { recursive: true, force: true });
    mkdirSync(logFolder, { recursive: true });
    say('starting NATS and PostgreSQL');
    const nats = startNats({ folder: join(folder, 'nats'), nodes: natsNodes });
    const postgres = startPostgres({ folder: join(folder, 'postgres') });
    const [natsStarted, postgresStarted] = await Promise.allSettled([nats, postgres]);
    if (natsStarted.status === 'fulfilled') this.#nats = natsStarted.value;
    if (postgresStarted.status === 'fulfilled') this.#postgres = postgresStarted.value;
    if (natsStarted.status === 'rejected') throw natsStarted.reason;
    if (postgresStarted.status === 'rejected') throw postgresStarted.reason;
    await this.#migrate();
    const plan = planSandbox(this.#settings(logFolder));
    say('starting the sequencers and those who follow them');
    await this.#start([plan.leader]);
    await this.#start(plan.followers);
    this.#desk = await SandboxAdmin.open({
      folder,
      natsUrls: this.nats.urls,
      postgresUrl: this.postgres.url,
    });
    say('listing markets, funding users');
    this.#seeded = await seedExchange(this.#desk);
    say('starting the gateways');
    this.#streams = await this.#start(plan.streams);
    this.#gateways = await this.#start(
      plan.gateways.map((gateway, at) => this.#withStream(gateway, at)),
    );
  }

  /** Stops everything, gateways first, servers last. What fails does not keep the rest running. */
  async stop(): Promise<void> {
    const ends = await Promise.allSettled([this.#desk?.close()]);
    for (const group of groupsToStop(this.#services)) {
      ends.push(...(await Promise.allSettled(group.map((service) => service.stop()))));
    }
    ends.push(...(await Promise.allSettled([this.#nats?.stop(), this.#postgres?.stop()])));
    if (this.#isTemporary) rmSync(this.folder, { recursive: true, force: true });
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async #start(plans: SandboxPlan['followers']): Promise<readonly SandboxService[]> {
    const services = plans.map((plan) => new SandboxService(plan));
    this.#services.push(...services);
    // All are waited for, so that none is still being started when the others are stopped.
    const started = await Promise.allSettled(services.map((service) => service.start()));
    const failed = started.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return services;
  }

  /** HTTP gateways pass `/stream` on to a stream gateway, if there is one. */
  #withStream(gateway: SandboxServiceOptions, at: number): SandboxServiceOptions {
    if (this.#streams.length === 0) return gateway;
    const { url } = this.#streams[at % this.#streams.length];
    const settings = { RIALTO_STREAM_URL: url.replace('http', 'ws'), ...gateway.settings };
    return { ...gateway, settings };
  }

  async #migrate(): Promise<void> {
    const schemas = [
      { schema: PROJECTION_SCHEMA, migrations: readProjectionMigrations() },
      { schema: REGISTRY_SCHEMA, migrations: readRegistryMigrations() },
    ];
    for (const { migrations, schema } of schemas) {
      const connection = await openConnection({
        url: this.postgres.url,
        schema,
        name: 'sandbox',
        statementTimeoutMs: MIGRATION_TIMEOUT_MS,
      });
      try {
        await migrate(connection, schema, migrations);
      } finally {
        await connection.end();
      }
    }
  }

  #settings(logFolder: string): SandboxSettings {
    const { natsNodes = 1 } = this.#options;
    return {
      folder: this.folder,
      logFolder,
      natsUrls: this.nats.urls,
      replicas: natsNodes,
      postgresUrl: this.postgres.url,
      gateways: this.#options.gateways ?? 1,
      streams: this.#options.streams ?? 0,
      withArchivist: this.#options.withArchivist ?? false,
      budgets: this.#options.budgets ?? 'wide',
      checkAnswers: this.#options.checkAnswers ?? true,
      logLevel: this.#options.logLevel ?? 'info',
      accessLog: this.#options.accessLog ?? false,
      httpPort: this.#options.httpPort,
      gatewaySettings: this.#options.gatewaySettings ?? {},
      streamPort: this.#options.streamPort,
      streamSettings: this.#options.streamSettings ?? {},
    };
  }
}

/** Whoever asks goes before whoever answers. */
function groupsToStop(services: readonly SandboxService[]): SandboxService[][] {
  const isGateway = ({ name }: SandboxService) => name.startsWith('gateway');
  const isSequencer = ({ name }: SandboxService) => name.startsWith('sequencer');
  return [
    services.filter(isGateway),
    services.filter((service) => !isGateway(service) && !isSequencer(service)),
    services.filter(isSequencer),
  ];
}
