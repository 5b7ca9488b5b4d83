// The log of a drill: NATS servers, and services that are restarted whenever they exit. Always
// cleans up, but keeps the folder if `RIALTO_KEEP` is set.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectNats, type Nats } from '../../../infra/bus/index.ts';
import { createLogOnce } from '../../../tools/create-log/create-log.ts';
import { type NatsNode, type NatsServers, startNats } from '../../../tools/services/nats.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { SupervisedProcess } from './supervised-process.ts';

export const EXCHANGE = 'rialto';
const READY_WITHIN_MS = 300_000;
/** Maximum lag of a standby, in frames. It can take over within a moment. */
const LAG_MAX = 64;
/** Exit code of a service that detected an inconsistency, and of every bug. */
const EXIT_HALTED = 70;

export class LogStage {
  readonly folder: string;
  /** Services that halted, one sentence each. */
  readonly halts: string[] = [];
  #services: readonly SupervisedProcess[] = [];
  #servers: NatsServers | undefined;
  #nats: Nats | undefined;

  constructor(drill: string) {
    this.folder = mkdtempSync(join(tmpdir(), `rialto-${drill}-drill-${process.pid}-`));
  }

  get nats(): Nats {
    return this.#nats!;
  }

  get nodes(): readonly NatsNode[] {
    return this.#servers!.nodes;
  }

  get urls(): readonly string[] {
    return this.#servers!.urls;
  }

  get sequencers(): readonly SupervisedProcess[] {
    return this.#services.filter(({ name }) => /^s\d$/.test(name));
  }

  /** The settings that all services share. */
  get settings(): Record<string, string> {
    return {
      RIALTO_MODE: 'development',
      RIALTO_EXCHANGE: EXCHANGE,
      RIALTO_REPLICAS: String(this.nodes.length),
      RIALTO_NATS_URLS: this.urls.join(','),
    };
  }

  async startServers(options: Omit<Parameters<typeof startNats>[0], 'folder'>): Promise<void> {
    this.#servers = await startNats({ folder: join(this.folder, 'nats'), ...options });
    this.#nats = await connectNats({ urls: this.urls, name: 'drill' });
  }

  /** Called once: replacement servers get their log from a restore. */
  createLog(): Promise<void> {
    return createLogOnce(this.nats, { exchange: EXCHANGE, replicas: this.nodes.length });
  }

  /** Uses the servers' own reports. */
  async waitUntilReady(): Promise<void> {
    await this.#servers?.waitUntilReady();
  }

  /** Removes all servers and their disks. */
  async loseServers(): Promise<void> {
    await this.#nats?.close();
    await this.#servers?.stop();
    rmSync(join(this.folder, 'nats'), { recursive: true });
  }

  /** Sequencers are named s1 and s2. `source` is another copy of the repository. */
  start(
    service: string,
    {
      name = service,
      settings = {},
      source = '',
    }: { name?: string; settings?: Readonly<Record<string, string>>; source?: string } = {},
  ): SupervisedProcess {
    const started = new SupervisedProcess({
      name,
      program: join(source, `services/${service}/main.ts`),
      settings: { ...this.settings, RIALTO_INSTANCE: name, ...settings },
      logFile: join(this.folder, `${name}.log`),
      onExit: ({ code, logTail }) => {
        if (code === EXIT_HALTED) this.halts.push(`${name} halted:\n${logTail}`);
      },
    });
    this.#services = [...this.#services, started];
    return started;
  }

  /** Stops processes whose names start with `prefix`, or all. */
  async stop(prefix = ''): Promise<void> {
    const stopped = this.#services.filter(({ name }) => name.startsWith(prefix));
    this.#services = this.#services.filter((service) => !stopped.includes(service));
    await Promise.all(stopped.map((service) => service.stop()));
  }

  /** Returns the leading sequencer, by its own metrics. */
  async leader(): Promise<SupervisedProcess> {
    let found: SupervisedProcess | undefined;
    await waitUntil({
      what: 'a sequencer leads',
      timeoutMs: READY_WITHIN_MS,
      question: async () => {
        for (const one of this.sequencers) if ((await roleOf(one))?.leads === 1) found = one;
        return found !== undefined;
      },
    });
    return found!;
  }

  /** Waits until one sequencer leads, the other follows closely, and all servers are ready. */
  async waitUntilPaired(): Promise<void> {
    await waitUntil({
      what: 'one sequencer leads and one follows',
      timeoutMs: READY_WITHIN_MS,
      question: async () => {
        const all = await Promise.all(this.sequencers.map(roleOf));
        const leader = all.find((one) => one?.leads === 1);
        const standby = all.find((one) => one?.leads === 0);
        if (leader === undefined || standby === undefined) return false;
        return standby.sequence >= leader.sequence - LAG_MAX;
      },
    });
    await this.waitUntilReady();
  }

  /** `unmount` unmounts the servers' disks before their folder is removed. */
  async close(unmount: () => void = () => {}): Promise<void> {
    await this.stop();
    await this.#nats?.close();
    await this.#servers?.stop();
    unmount();
    if (process.env.RIALTO_KEEP === undefined)
      rmSync(this.folder, { recursive: true, force: true });
    else console.log(`kept: ${this.folder}`);
  }
}

/** Returns whether it leads (1) or follows (0), and its frame; undefined if it is not ready. */
async function roleOf(
  sequencer: SupervisedProcess,
): Promise<{ leads: number; sequence: number } | undefined> {
  const { status } = await sequencer.ask('/ready');
  if (status !== 200) return undefined;
  const { text } = await sequencer.ask('/metrics');
  const metric = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return {
    leads: metric('rialto_sequencer_leads'),
    sequence: metric('rialto_sequencer_sequence'),
  };
}
