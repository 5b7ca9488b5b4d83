// The processes of the drill: three NATS servers, two sequencers and an archivist, which are
// restarted whenever they exit, and clients. It always cleans up.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { connectNats, type Nats, NatsBus } from '../../../infra/bus/index.ts';
import { type NatsNode, type NatsServers, startNats } from '../../../tools/services/nats.ts';
import { logTail } from '../../../tools/services/server-process.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { ClientProcess } from './client-process.ts';
import { makeFolder, removeFolder, smallDiskFolder } from './drill-folder.ts';
import { LinkWatch } from './link-watch.ts';
import { LogHealth } from './log-health.ts';
import { SmallDisk } from './small-disk.ts';
import { type Exit, SupervisedProcess } from './supervised-process.ts';

export const EXCHANGE = 'rialto';
const INSTANCES = ['s1', 's2'] as const;
const SLOW_COMMANDS_PER_SECOND = 2_000;
const HEALTHY_WITHIN_MS = 300_000;
/** The exit code of a sequencer that detected an inconsistency, and of every bug. */
const EXIT_HALTED = 70;

export interface StageOptions {
  readonly hasSmallDisk: boolean;
  readonly seed: number;
  readonly commandsPerSecond: number;
  readonly segmentEveryMs: number;
  readonly snapshotEveryMs: number;
}

export class Stage {
  readonly folder: string;
  readonly archiveFolder: string;
  /** Violations, one sentence each. */
  readonly halts: string[] = [];
  smallDisk: SmallDisk | string = 'it was not requested';
  readonly #options: StageOptions;
  #servers: NatsServers | undefined;
  #nats: Nats | undefined;
  #link: LinkWatch | undefined;
  #health: LogHealth | undefined;
  #sequencers: SupervisedProcess[] = [];
  #archivist: SupervisedProcess | undefined;
  #clients: ClientProcess | undefined;

  constructor(options: StageOptions) {
    this.#options = options;
    this.folder = makeFolder();
    this.archiveFolder = join(this.folder, 'archive');
  }

  get nodes(): readonly NatsNode[] {
    return this.#servers!.nodes;
  }

  get nats(): Nats {
    return this.#nats!;
  }

  get link(): LinkWatch {
    return this.#link!;
  }

  get log(): LogHealth {
    return this.#health!;
  }

  get clients(): ClientProcess {
    return this.#clients!;
  }

  get archivist(): SupervisedProcess {
    return this.#archivist!;
  }

  get sequencers(): readonly SupervisedProcess[] {
    return this.#sequencers;
  }

  async open(): Promise<void> {
    const smallFolder = smallDiskFolder(this.folder);
    mkdirSync(smallFolder, { recursive: true });
    if (this.#options.hasSmallDisk) this.smallDisk = SmallDisk.mount(smallFolder);
    this.#servers = await startNats({ folder: join(this.folder, 'nats'), nodes: 3 });
    const { urls } = this.#servers;
    this.#nats = await connectNats({ urls, name: 'drill' });
    this.#link = new LinkWatch(new NatsBus(this.#nats), EXCHANGE);
    this.#health = new LogHealth(this.#nats, EXCHANGE);
    this.#sequencers = INSTANCES.map((name) => this.#startService('sequencer', name, {}));
    this.#archivist = this.#startService('archivist', 'archivist', {
      RIALTO_ARCHIVE_FOLDER: this.archiveFolder,
      RIALTO_SEGMENT_EVERY_MS: String(this.#options.segmentEveryMs),
      RIALTO_SNAPSHOT_EVERY_MS: String(this.#options.snapshotEveryMs),
    });
    const { commandsPerSecond, seed } = this.#options;
    const pace = { commandsPerSecond, slowCommandsPerSecond: SLOW_COMMANDS_PER_SECOND };
    const traffic = { clients: 4, ...pace, pendingMaxPerClient: 1_000 };
    this.#clients = new ClientProcess(
      { urls, exchange: EXCHANGE, seed, folder: this.folder, ...traffic },
      join(this.folder, 'clients.log'),
    );
    await this.#clients.waitUntilTrading();
    await this.waitUntilHealthy();
  }

  /** The current leader. On a busy machine a heartbeat may be late, so this waits for one. */
  async leading(): Promise<SupervisedProcess> {
    const find = () => this.#sequencers.find(({ name }) => name === this.link.leader?.instance);
    const question = () => find() !== undefined;
    await waitUntil({ what: 'a sequencer leads', timeoutMs: HEALTHY_WITHIN_MS, question });
    return find()!;
  }

  /** The servers' own reports. */
  async waitUntilReady(): Promise<void> {
    await this.#servers?.waitUntilReady();
  }

  /** Waits until one sequencer leads, the other follows, and the log has three current copies. */
  async waitUntilHealthy(): Promise<void> {
    this.clients.setPace('slow');
    await this.waitUntilReady();
    await waitUntil({
      what: 'one sequencer leads, one follows, and the log has three current copies',
      timeoutMs: HEALTHY_WITHIN_MS,
      question: async () => {
        const { standbys } = this.link;
        const hasBoth = standbys.length === INSTANCES.length - 1;
        return hasBoth && (await this.log.isHealthy()) && this.link.leader !== undefined;
      },
    });
    this.clients.setPace('full');
  }

  /**
   * Waits until the standby has compared its events and its state with the leader's, over new
   * frames. Returns the number of states that it has compared.
   */
  async waitUntilAgreed(): Promise<number> {
    const leader = await this.leading();
    const standby = this.#sequencers.find((sequencer) => sequencer !== leader)!;
    const from = this.link.leader?.sequence ?? 0;
    const port = standby.lastLogged(/"healthPort":(\d+)/);
    let statesCompared = 0;
    await waitUntil({
      what: `${standby.name} matches ${leader.name} on frames after ${from}`,
      timeoutMs: HEALTHY_WITHIN_MS,
      question: async () => {
        const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        const agreed = /^rialto_sequencer_agreed_sequence (\d+)/m.exec(metrics)?.[1];
        const states = /^rialto_sequencer_states_compared_total (\d+)/m.exec(metrics)?.[1];
        statesCompared = Number(states ?? 0);
        return Number(agreed) > from && statesCompared > 0;
      },
    });
    return statesCompared;
  }

  async waitUntilSettled(): Promise<void> {
    const question = () => this.link.isSettled(INSTANCES.length - 1);
    await waitUntil({ what: 'everything is stored', timeoutMs: HEALTHY_WITHIN_MS, question });
  }

  /** The state of all processes, printed after a timeout. */
  describe(): string {
    const logs = [...this.#sequencers.map(({ name }) => name), 'archivist', 'clients'];
    const tails = logs.map((name) => `${name}: ${logTail(join(this.folder, `${name}.log`))}`);
    return [this.#link?.describe(), ...tails].join('\n');
  }

  async close(): Promise<void> {
    await this.#clients?.stop();
    await Promise.all(this.#sequencers.map((sequencer) => sequencer.stop()));
    await this.#archivist?.stop();
    await this.#nats?.close();
    await this.#servers?.stop();
    if (process.env.RIALTO_KEEP === undefined) removeFolder(this.folder);
    else console.log(`kept: ${this.folder}`);
  }

  #startService(
    service: string,
    name: string,
    settings: Readonly<Record<string, string>>,
  ): SupervisedProcess {
    return new SupervisedProcess({
      name,
      program: `services/${service}/main.ts`,
      settings: {
        RIALTO_MODE: 'development',
        RIALTO_EXCHANGE: EXCHANGE,
        RIALTO_REPLICAS: '3',
        RIALTO_NATS_URLS: this.#servers!.urls.join(','),
        RIALTO_INSTANCE: name,
        ...settings,
      },
      logFile: join(this.folder, `${name}.log`),
      onExit: (exit) => this.#onExit(name, exit),
    });
  }

  #onExit(name: string, { code, logTail }: Exit): void {
    if (code === EXIT_HALTED) this.halts.push(`${name} halted:\n${logTail}`);
  }
}
