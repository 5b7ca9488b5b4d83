// The entire exchange on one machine, as real processes on free ports: log, database, sequencers,
// followers, gateways. For tests, benches and `npm run dev`. All of them must exit with this
// process, however it ends.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SANDBOX_IDENTITY } from '../../infra/identities/index.ts';
import type { WrittenHistory } from '../agents/write-history.ts';
import { createLogOnce } from '../create-log/create-log.ts';
import { freePorts } from '../services/free-ports.ts';
import { type IdentityFiles, readSeed, writeIdentityFiles } from '../services/identity-files.ts';
import { startMigratedPostgres } from '../services/migrated-postgres.ts';
import { type NatsServers, startNats } from '../services/nats.ts';
import type { PostgresServer } from '../services/postgres.ts';
import { setUpDemo } from './demo-kit.ts';
import { DEMO_ASSETS, DEMO_PAIRS } from './demo-plan.ts';
import { hasAnvil, LocalChain } from './local-chain.ts';
import { prepareDemo } from './prepare-demo.ts';
import { SandboxAdmin } from './sandbox-admin.ts';
import {
  type SandboxGroup,
  SandboxService,
  type SandboxServiceOptions,
} from './sandbox-service.ts';
import {
  EXCHANGE,
  planSandbox,
  publicUrl,
  type SandboxPlan,
  type SandboxSettings,
} from './sandbox-settings.ts';
import { type Seeded, seedExchange } from './seed.ts';
import { MARKETS } from './seed-plan.ts';
import { type Trader, TraderFactory, type TradersRequest } from './traders.ts';

export interface SandboxOptions {
  /** Folder that keeps the data across runs; by default a temporary one, removed at the end. */
  readonly folder?: string;
  readonly natsNodes?: 1 | 3;
  /**
   * True for few processes, like a small exchange: one with a single sequencer and everything that
   * follows it, one with all gateways, and `gateway-identity`.
   */
  readonly isTogether?: boolean;
  readonly gateways?: 1 | 2;
  /** The number of websocket gateways; 0 by default. */
  readonly streams?: 0 | 1 | 2;
  /** True if a separate process serves the identity routes; by default, the gateways do. */
  readonly withIdentity?: boolean;
  /** True if operators have a separate process; by default, all gateways serve them. */
  readonly isSplit?: boolean;
  /** Operator gateway with the console, whose built files are in the folder. */
  readonly console?: { readonly folder: string; readonly port?: number };
  readonly withArchivist?: boolean;
  readonly withReconciler?: boolean;
  readonly withMonitor?: boolean;
  /** True to send emails to its inbox, or to the SMTP server in its settings. */
  readonly withNotifier?: boolean;
  /** wide, by default: no test reaches a rate limit or a review. usual: as in production. */
  readonly budgets?: 'wide' | 'usual';
  readonly checkAnswers?: boolean;
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error';
  readonly accessLog?: boolean;
  readonly httpPort?: number;
  readonly gatewaySettings?: Readonly<Record<string, string>>;
  readonly streamPort?: number;
  readonly streamSettings?: Readonly<Record<string, string>>;
  readonly inboxPort?: number;
  readonly notifierSettings?: Readonly<Record<string, string>>;
  readonly archivistSettings?: Readonly<Record<string, string>>;
  readonly monitorSettings?: Readonly<Record<string, string>>;
  /** Module that the sequencers load first, with which a test injects a fault. */
  readonly sequencerPreload?: string;
  /** The same for the websocket gateways. */
  readonly streamPreload?: string;
  /**
   * True to start without coins, markets and users, like a new server. Then `seeded` is undefined.
   */
  readonly isEmpty?: boolean;
  /** True for more coins and pairs, and a log that begins with 30 days of trades. */
  readonly isDemo?: boolean;
  /** True for a demo without history and simulated traders: its faucet gives play money. */
  readonly givesPlayMoney?: boolean;
  /** Days of history in a demo; 30 by default. */
  readonly historyDays?: number;
  /** Settings of market agents that trade on a demo; without them, none do. */
  readonly agentSettings?: Readonly<Record<string, string>>;
  /**
   * True for a local chain under custody, a chain watcher, and the coins of a demo. Without anvil,
   * the sandbox starts without them.
   */
  readonly withChain?: boolean;
  /** Receives one line per step of the start. */
  readonly print?: (line: string) => void;
}

const ATTEMPTS_MAX = 3;

/** Resolves when the exchange is ready: all processes run, and the seed data is in place. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const isTemporary = options.folder === undefined;
  for (let attempt = 1; ; attempt++) {
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
      // Another process bound the gateway's port, which was chosen first and is bound last.
      const isTaken = fault instanceof Error && /EADDRINUSE/.test(fault.message);
      if (isTaken && isTemporary && attempt < ATTEMPTS_MAX) continue;
      throw new Error(`The sandbox did not start.\n${logs}`, { cause: fault });
    }
  }
}

interface Reachable {
  readonly url: string;
}

export class Sandbox {
  readonly folder: string;
  readonly #options: SandboxOptions;
  readonly #isTemporary: boolean;
  readonly #services: SandboxService[] = [];
  #gateways: readonly Reachable[] = [];
  #streams: readonly Reachable[] = [];
  #notifier: Reachable | undefined;
  #adminGateway: Reachable | undefined;
  #consolePort: number | undefined;
  #httpPort = 0;
  #adminPort: number | undefined;
  #adminStreamPort: number | undefined;
  #nats: NatsServers | undefined;
  #postgres: PostgresServer | undefined;
  #chain: LocalChain | undefined;
  #admin: SandboxAdmin | undefined;
  #seeded: Seeded | undefined;
  #traders: TraderFactory | undefined;

  constructor(options: SandboxOptions & { readonly folder: string }, isTemporary: boolean) {
    this.folder = options.folder;
    this.#options = options;
    this.#isTemporary = isTemporary;
  }

  /** URLs of the REST interface, one per gateway, without `/v2`. */
  get urls(): readonly string[] {
    return this.#gateways.map(({ url }) => url);
  }

  get url(): string {
    return this.urls[0];
  }

  /** Where operators log in and send requests. */
  get adminUrl(): string {
    return this.#adminGateway?.url ?? this.url;
  }

  /** URL in email links and passkeys: the first gateway's. */
  get publicUrl(): string {
    return publicUrl(this.#httpPort);
  }

  /** Where operators open the console; undefined without one. */
  get consoleUrl(): string | undefined {
    return this.#consolePort === undefined ? undefined : publicUrl(this.#consolePort);
  }

  /** URLs of the stream, one per websocket gateway, with the path. */
  get streamUrls(): readonly string[] {
    return this.#streams.map(({ url }) => `${url.replace('http', 'ws')}/stream`);
  }

  /** Page with the sent emails; undefined without a notifier. */
  get inboxUrl(): string | undefined {
    return this.#notifier?.url;
  }

  /** The local chain; undefined without one. */
  get chain(): LocalChain | undefined {
    return this.#chain;
  }

  get nats(): NatsServers {
    return this.#nats!;
  }

  get postgres(): PostgresServer {
    return this.#postgres!;
  }

  /** Direct access to the engine and the tables, like that of operator tools. */
  get admin(): SandboxAdmin {
    return this.#admin!;
  }

  /** Listed markets and initial users. */
  get seeded(): Seeded {
    return this.#seeded!;
  }

  /** Creates many users with keys and money quickly; only on new data. */
  createTraders(request: TradersRequest): Promise<Trader[]> {
    this.#traders ??= new TraderFactory(this.admin, this.seeded);
    return this.#traders.create(request);
  }

  get services(): readonly SandboxService[] {
    return this.#services;
  }

  /** `sequencer-1`, `projector`, `publisher`, `dispatcher`, `gateway-http-1`, … */
  service(name: string): SandboxService {
    const found = this.#services.find((service) => service.name === name);
    if (found !== undefined) return found;
    const names = this.#services.map((service) => service.name).join(', ');
    throw new Error(`the sandbox has no service '${name}' (expected one of ${names})`);
  }

  /** The last log lines of one process or of all. */
  logs(name?: string): string {
    const chosen = name === undefined ? this.#services : [this.service(name)];
    return chosen.map((service) => `── ${service.name}\n${service.log()}`).join('\n');
  }

  async open(): Promise<void> {
    const { folder } = this;
    const { natsNodes = 1, print = () => {} } = this.#options;
    const logFolder = join(folder, 'logs');
    rmSync(logFolder, { recursive: true, force: true });
    mkdirSync(logFolder, { recursive: true });
    print('starting NATS and PostgreSQL');
    const identities = writeIdentityFiles({
      folder: join(folder, 'identities'),
      exchange: EXCHANGE,
      withSandbox: true,
    });
    const seed = readSeed(identities.seedFile(SANDBOX_IDENTITY));
    const nats = startNats({
      folder: join(folder, 'nats'),
      nodes: natsNodes,
      usersFile: identities.usersFile,
      user: `${SANDBOX_IDENTITY}:${seed}`,
    });
    const postgres = startMigratedPostgres({ folder: join(folder, 'postgres') });
    const chain = this.#startChain(print);
    const [natsStarted, postgresStarted, chainStarted] = await Promise.allSettled([
      nats,
      postgres,
      chain,
    ]);
    if (chainStarted.status === 'fulfilled') this.#chain = chainStarted.value;
    if (natsStarted.status === 'fulfilled') this.#nats = natsStarted.value;
    if (postgresStarted.status === 'fulfilled') this.#postgres = postgresStarted.value;
    if (natsStarted.status === 'rejected') throw natsStarted.reason;
    if (postgresStarted.status === 'rejected') throw postgresStarted.reason;
    if (chainStarted.status === 'rejected') throw chainStarted.reason;
    this.#httpPort = this.#options.httpPort ?? (await freePorts(1))[0];
    if (this.#options.isSplit === true) {
      const ports = await freePorts(2);
      this.#adminPort = ports[0];
      if ((this.#options.streams ?? 0) > 0) this.#adminStreamPort = ports[1];
    }
    if (this.#options.console !== undefined) {
      this.#consolePort = this.#options.console.port ?? (await freePorts(1))[0];
    }
    // Records the vault's first key, which no follower is allowed to do.
    this.#admin = await SandboxAdmin.open({
      folder,
      natsUrls: this.nats.urls,
      seed,
      postgresUrl: this.postgres.url,
    });
    await this.#checkChain(print);
    const plan = planSandbox(this.#settings(logFolder, identities));
    const history = await this.#prepareDemo(print);
    await createLogOnce(this.admin.nats, { exchange: EXCHANGE, replicas: natsNodes });
    print('starting sequencers, projector, publisher and outbox dispatcher');
    await (this.#options.isTogether === true
      ? this.#startTogether(plan)
      : allOf([this.#startSequencers(plan), this.#start(plan.followers)]));
    const markets = this.#openMarkets(history, print);
    // A history's listings are described before it is written, so gateways need not wait for it.
    const gateways =
      history === undefined
        ? markets.then(() => this.#openGateways(plan, print))
        : this.#openGateways(plan, print);
    await allOf([markets, gateways]);
    if (plan.agents.length > 0) print('starting simulated traders');
    await this.#start(plan.agents);
  }

  async #startChain(print: (line: string) => void): Promise<LocalChain | undefined> {
    if (this.#options.withChain !== true) return undefined;
    if (hasAnvil()) return LocalChain.start(this.folder);
    print('no local chain: the package @foundry-rs/anvil-linux-amd64 is only for Linux on x64');
    return undefined;
  }

  /** A killed sandbox can lose the last seconds of its chain, which its tables remember. */
  async #checkChain(print: (line: string) => void): Promise<void> {
    if (this.#chain === undefined || (await this.#chain.hasRecorded(this.admin.registry))) return;
    print('no local chain: its last blocks are lost; to start over, use --fresh');
    await this.#chain.stop();
    this.#chain = undefined;
  }

  async #startSequencers({ leader, standby }: SandboxPlan): Promise<void> {
    await this.#start([leader]);
    await this.#start([standby]);
  }

  async #startTogether({ followers, leader, notifiers }: SandboxPlan): Promise<void> {
    const members = [leader, ...followers, ...notifiers];
    const exchange = await this.#startGroup({ name: 'exchange', members });
    this.#notifier = reachable(exchange, notifiers)[0];
  }

  async #openMarkets(
    history: WrittenHistory | undefined,
    print: (line: string) => void,
  ): Promise<void> {
    await this.admin.waitUntilConfirmed();
    if (this.#options.isEmpty === true) return;
    if (history !== undefined) {
      print('loading history into PostgreSQL');
      await this.admin.waitUntilProjected(history.frames);
    }
    print('creating markets and test users');
    const demo = { assets: DEMO_ASSETS, markets: DEMO_PAIRS };
    const { budgets = 'wide', isDemo = false } = this.#options;
    const onChain = this.#chain && { assets: DEMO_ASSETS, markets: MARKETS };
    const seedPlan = isDemo ? demo : onChain;
    this.#seeded = await seedExchange(this.admin, { plan: seedPlan, budgets });
    await this.#chain?.open(this.admin, this.seeded.assets);
    if (this.#isDemo) await setUpDemo(this.admin, this.seeded.assets);
  }

  async #openGateways(plan: SandboxPlan, print: (line: string) => void): Promise<void> {
    print('starting gateways');
    if (this.#options.isTogether === true) return this.#openGatewaysTogether(plan);
    const first = [
      ...plan.streams,
      ...plan.adminStreams,
      ...plan.identity,
      ...plan.admin,
      ...plan.console,
      ...plan.notifiers,
    ];
    const started = await this.#start(first);
    this.#streams = started.slice(0, plan.streams.length);
    this.#notifier = started.find(({ name }) => name === plan.notifiers[0]?.name);
    this.#adminGateway = started.find(({ name }) => name === plan.admin[0]?.name);
    const identity = started.find(({ name }) => name === plan.identity[0]?.name);
    this.#gateways = await this.#start(
      plan.gateways.map((gateway, at) => withIdentity(this.#withStream(gateway, at), identity)),
    );
  }

  async #openGatewaysTogether(plan: SandboxPlan): Promise<void> {
    const {
      admin,
      adminStreams,
      console: consoles,
      gateways,
      identity: identities,
      streams,
    } = plan;
    const [identity] = await this.#start(identities);
    const ports = await freePorts(streams.length);
    const openStreams = streams.map((stream, at) => ({
      ...stream,
      port: stream.port ?? ports[at],
    }));
    this.#streams = openStreams.map(({ port }) => ({ url: `http://127.0.0.1:${port}` }));
    const served = gateways.map((gateway, at) =>
      withIdentity(this.#withStream(gateway, at), identity),
    );
    const open = consoles.map((one) => this.#withStream(one, 0));
    const members = [...openStreams, ...adminStreams, ...admin, ...open, ...served];
    const group = await this.#startGroup({ name: 'gateways', members });
    this.#adminGateway = reachable(group, admin)[0];
    this.#gateways = reachable(group, gateways);
  }

  async #startGroup(group: SandboxGroup): Promise<SandboxService> {
    const service = new SandboxService(group);
    this.#services.push(service);
    await service.start();
    return service;
  }

  async #prepareDemo(print: (line: string) => void): Promise<WrittenHistory | undefined> {
    if (this.#options.isDemo !== true) return undefined;
    const { historyDays: days, natsNodes: replicas = 1 } = this.#options;
    return prepareDemo(this.admin, { replicas, days, print });
  }

  /** Stops everything, gateways first, servers last. A failure does not keep the rest running. */
  async stop(): Promise<void> {
    if (!this.#isTemporary) await this.#chain?.settle(this.admin.registry);
    const ends = await Promise.allSettled([this.#admin?.close()]);
    for (const group of groupsToStop(this.#services)) {
      ends.push(...(await Promise.allSettled(group.map((service) => service.stop()))));
    }
    const servers = [this.#nats, this.#postgres, this.#chain];
    ends.push(...(await Promise.allSettled(servers.map((server) => server?.stop()))));
    if (this.#isTemporary) rmSync(this.folder, { recursive: true, force: true });
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async #start(plans: SandboxPlan['followers']): Promise<readonly SandboxService[]> {
    const services = plans.map((plan) => new SandboxService(plan));
    this.#services.push(...services);
    await allOf(services.map((service) => service.start()));
    return services;
  }

  /** HTTP gateways forward `/stream` to a stream gateway, if there is one. */
  #withStream(gateway: SandboxServiceOptions, at: number): SandboxServiceOptions {
    if (this.#streams.length === 0) return gateway;
    const { url } = this.#streams[at % this.#streams.length];
    const settings = { RIALTO_STREAM_URL: url.replace('http', 'ws'), ...gateway.settings };
    return { ...gateway, settings };
  }

  get #isDemo(): boolean {
    return this.#options.isDemo === true || this.#options.givesPlayMoney === true;
  }

  #console(): SandboxSettings['console'] {
    const { console } = this.#options;
    const port = this.#consolePort;
    return console === undefined || port === undefined ? undefined : { ...console, port };
  }

  #settings(logFolder: string, identities: IdentityFiles): SandboxSettings {
    const { natsNodes = 1 } = this.#options;
    return {
      folder: this.folder,
      logFolder,
      identities,
      natsUrls: this.nats.nodes.map(({ plainUrl }) => plainUrl),
      replicas: natsNodes,
      postgresUrl: this.postgres.url,
      gateways: this.#options.gateways ?? 1,
      streams: this.#options.streams ?? 0,
      withIdentity: this.#options.withIdentity ?? false,
      adminPort: this.#adminPort,
      adminStreamPort: this.#adminStreamPort,
      console: this.#console(),
      withArchivist: this.#options.withArchivist ?? false,
      withReconciler: this.#options.withReconciler ?? false,
      withNotifier: this.#options.withNotifier ?? false,
      withMonitor: this.#options.withMonitor ?? false,
      isDemo: this.#isDemo,
      agentSettings: this.#options.agentSettings,
      budgets: this.#options.budgets ?? 'wide',
      checkAnswers: this.#options.checkAnswers ?? true,
      logLevel: this.#options.logLevel ?? 'info',
      accessLog: this.#options.accessLog ?? false,
      httpPort: this.#httpPort,
      gatewaySettings: this.#options.gatewaySettings ?? {},
      streamPort: this.#options.streamPort,
      streamSettings: this.#options.streamSettings ?? {},
      inboxPort: this.#options.inboxPort,
      notifierSettings: this.#options.notifierSettings ?? {},
      archivistSettings: this.#options.archivistSettings ?? {},
      monitorSettings: this.#options.monitorSettings ?? {},
      sequencerPreload: this.#options.sequencerPreload,
      streamPreload: this.#options.streamPreload,
      custody: this.#chain?.settings,
    };
  }
}

/** Waits for all even if one fails, so none is still starting when the others are stopped. */
async function allOf(parts: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(parts);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** HTTP gateways forward identity routes to their process, if there is one. */
function withIdentity(
  gateway: SandboxServiceOptions,
  identity: SandboxService | undefined,
): SandboxServiceOptions {
  if (identity === undefined) return gateway;
  const { settings } = gateway;
  // Operators might have a separate process.
  const { RIALTO_GATEWAY_MODULES: all = 'public,user,admin,identity' } = settings;
  const modules = all.split(',').filter((name) => name !== 'identity');
  const own = {
    RIALTO_GATEWAY_MODULES: modules.join(),
    RIALTO_IDENTITY_URL: identity.url,
  };
  return { ...gateway, settings: { ...settings, ...own } };
}

function reachable(process: SandboxService, members: readonly { readonly name: string }[]) {
  return members.map(({ name }) => ({ url: process.urlOf(name) }));
}

/** Clients stop before the servers that they use. */
function groupsToStop(services: readonly SandboxService[]): SandboxService[][] {
  const isAgents = ({ name }: SandboxService) => name === 'market-agents';
  const isGateway = ({ name }: SandboxService) => name.startsWith('gateway');
  const isSequencer = ({ name }: SandboxService) => /^(sequencer|exchange)/.test(name);
  const isOther = (service: SandboxService) =>
    !isAgents(service) && !isGateway(service) && !isSequencer(service);
  return [
    services.filter(isAgents),
    services.filter(isGateway),
    services.filter(isOther),
    services.filter(isSequencer),
  ];
}
