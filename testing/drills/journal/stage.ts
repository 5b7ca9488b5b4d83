// Processes of the drill: three NATS servers, two sequencers and an archivist, which are restarted
// whenever they exit, and clients. Always cleans up.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Nats, NatsBus } from '../../../infra/bus/index.ts';
import type { NatsNode } from '../../../tools/services/nats.ts';
import { logTail } from '../../../tools/services/server-process.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { EXCHANGE, LogStage } from '../harness/log-stage.ts';
import { SmallDisk } from '../harness/small-disk.ts';
import type { SupervisedProcess } from '../harness/supervised-process.ts';
import { ClientProcess } from './client-process.ts';
import { smallDiskFolder } from './leftovers.ts';
import { LinkWatch } from './link-watch.ts';
import { LogHealth } from './log-health.ts';

const INSTANCES = ['s1', 's2'] as const;
const SLOW_COMMANDS_PER_SECOND = 2_000;
const HEALTHY_WITHIN_MS = 300_000;

export interface StageOptions {
  readonly hasSmallDisk: boolean;
  readonly seed: number;
  readonly commandsPerSecond: number;
  readonly segmentEveryMs: number;
  readonly snapshotEveryMs: number;
}

export class Stage {
  readonly log = new LogStage('journal');
  readonly archiveFolder = join(this.log.folder, 'archive');
  smallDisk: SmallDisk | string = 'it was not requested';
  readonly #options: StageOptions;
  #link: LinkWatch | undefined;
  #health: LogHealth | undefined;
  #archivist: SupervisedProcess | undefined;
  #clients: ClientProcess | undefined;

  constructor(options: StageOptions) {
    this.#options = options;
  }

  get folder(): string {
    return this.log.folder;
  }

  /** Violations, one sentence each. */
  get halts(): string[] {
    return this.log.halts;
  }

  get nodes(): readonly NatsNode[] {
    return this.log.nodes;
  }

  get nats(): Nats {
    return this.log.nats;
  }

  get link(): LinkWatch {
    return this.#link!;
  }

  get health(): LogHealth {
    return this.#health!;
  }

  get clients(): ClientProcess {
    return this.#clients!;
  }

  get archivist(): SupervisedProcess {
    return this.#archivist!;
  }

  get sequencers(): readonly SupervisedProcess[] {
    return this.log.sequencers;
  }

  async open(): Promise<void> {
    const smallFolder = smallDiskFolder(this.folder);
    mkdirSync(smallFolder, { recursive: true });
    if (this.#options.hasSmallDisk) this.smallDisk = SmallDisk.mount(smallFolder);
    await this.log.startServers({ nodes: 3 });
    await this.log.createLog();
    this.#link = new LinkWatch(new NatsBus(this.nats), EXCHANGE);
    this.#health = new LogHealth(this.nats, EXCHANGE);
    for (const name of INSTANCES) this.log.start('sequencer', { name });
    const settings = {
      RIALTO_ARCHIVE_FOLDER: this.archiveFolder,
      RIALTO_SEGMENT_EVERY_MS: String(this.#options.segmentEveryMs),
      RIALTO_SNAPSHOT_EVERY_MS: String(this.#options.snapshotEveryMs),
    };
    this.#archivist = this.log.start('archivist', { settings });
    const { commandsPerSecond, seed } = this.#options;
    const pace = { commandsPerSecond, slowCommandsPerSecond: SLOW_COMMANDS_PER_SECOND };
    const traffic = { clients: 4, ...pace, pendingMaxPerClient: 1_000 };
    this.#clients = new ClientProcess(
      { urls: this.log.urls, exchange: EXCHANGE, seed, folder: this.folder, ...traffic },
      join(this.folder, 'clients.log'),
    );
    await this.#clients.waitUntilTrading();
    await this.waitUntilHealthy();
  }

  /** Returns the current leader. Waits for a heartbeat, which can be late on a busy machine. */
  async leading(): Promise<SupervisedProcess> {
    const find = () => this.sequencers.find(({ name }) => name === this.link.leader?.instance);
    const question = () => find() !== undefined;
    await waitUntil({ what: 'a sequencer leads', timeoutMs: HEALTHY_WITHIN_MS, question });
    return find()!;
  }

  /** Waits until one sequencer leads, the other follows, and the log has three current replicas. */
  async waitUntilHealthy(): Promise<void> {
    this.clients.setPace('slow');
    await this.log.waitUntilReady();
    await waitUntil({
      what: 'one sequencer leads, one follows, and the log has three current copies',
      timeoutMs: HEALTHY_WITHIN_MS,
      question: async () => {
        const { standbys } = this.link;
        const hasBoth = standbys.length === INSTANCES.length - 1;
        return hasBoth && (await this.health.isHealthy()) && this.link.leader !== undefined;
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
    const standby = this.sequencers.find((sequencer) => sequencer !== leader)!;
    const from = this.link.leader?.sequence ?? 0;
    let statesCompared = 0;
    await waitUntil({
      what: `${standby.name} matches ${leader.name} on frames after ${from}`,
      timeoutMs: HEALTHY_WITHIN_MS,
      question: async () => {
        const { text: metrics } = await standby.ask('/metrics');
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

  /** Describes the state of all processes, for a timeout. */
  describe(): string {
    const logs = [...this.sequencers.map(({ name }) => name), 'archivist', 'clients'];
    const tails = logs.map((name) => `${name}: ${logTail(join(this.folder, `${name}.log`))}`);
    return [this.#link?.describe(), ...tails].join('\n');
  }

  async close(): Promise<void> {
    await this.#clients?.stop();
    await this.log.close(() => SmallDisk.unmount(smallDiskFolder(this.folder)));
  }
}
