// The processes of the drill: one log server on a small disk, two sequencers behind proxies, an
// archivist for snapshots, and a prober. It always cleans up.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { connectNats, type Nats } from '../../../infra/bus/index.ts';
import { type NatsNode, type NatsServers, startNats } from '../../../tools/services/nats.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { SmallDisk } from '../journal/small-disk.ts';
import { SupervisedProcess } from '../journal/supervised-process.ts';
import { copyWithBug } from './faulty-source.ts';
import { NatsProxy } from './nats-proxy.ts';
import { Prober } from './prober.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
export const EXCHANGE = 'rialto';
const NAMES = ['s1', 's2'];
const READY_WITHIN_MS = 300_000;
/** How many frames a standby may be behind: it can take over in a moment. */
const LAG_MAX = 64;

export interface StagedSequencer {
  readonly process: SupervisedProcess;
  readonly proxy: NatsProxy;
}

export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'rialto-liveness-'));
  /** Or the reason why there is none. */
  readonly disk: SmallDisk | string;
  #servers: NatsServers | undefined;
  #nats: Nats | undefined;
  #prober: Prober | undefined;
  readonly #sequencers: StagedSequencer[] = [];
  #archivist: SupervisedProcess | undefined;

  constructor() {
    mkdirSync(this.#storeFolder, { recursive: true });
    this.disk = SmallDisk.mount(this.#storeFolder);
  }

  get #storeFolder(): string {
    return join(this.folder, 'nats', 'alone', 'store');
  }

  get node(): NatsNode {
    return this.#servers!.nodes[0];
  }

  get nats(): Nats {
    return this.#nats!;
  }

  get prober(): Prober {
    return this.#prober!;
  }

  async open(): Promise<void> {
    const source = join(this.folder, 'source');
    copyWithBug(source);
    this.#servers = await startNats({ folder: join(this.folder, 'nats'), nodes: 1 });
    const { urls } = this.#servers;
    this.#nats = await connectNats({ urls, name: 'drill' });
    for (const name of NAMES) {
      const { proxy, url } = await NatsProxy.open(this.node.port);
      this.#sequencers.push({ process: this.#start('sequencer', name, source, url), proxy });
    }
    this.#archivist = this.#start('archivist', 'archivist', source, urls[0], {
      RIALTO_ARCHIVE_FOLDER: join(this.folder, 'archive'),
      RIALTO_SNAPSHOT_EVERY_MS: '600000',
    });
    this.#prober = new Prober(this.#nats, EXCHANGE);
    await this.waitUntilPaired();
  }

  /** The sequencer that leads, by its own metrics. */
  async leader(): Promise<StagedSequencer> {
    let found: StagedSequencer | undefined;
    await waitUntil({
      what: 'a sequencer leads',
      timeoutMs: READY_WITHIN_MS,
      question: async () => {
        for (const one of this.#sequencers) if ((await roleOf(one))?.leads === 1) found = one;
        return found !== undefined;
      },
    });
    return found!;
  }

  /** One leads, and the other follows it closely. */
  async waitUntilPaired(): Promise<void> {
    await waitUntil({
      what: 'one sequencer leads and one follows',
      timeoutMs: READY_WITHIN_MS,
      question: async () => {
        const all = await Promise.all(this.#sequencers.map(roleOf));
        const leader = all.find((one) => one?.leads === 1);
        const standby = all.find((one) => one?.leads === 0);
        if (leader === undefined || standby === undefined) return false;
        return standby.sequence >= leader.sequence - LAG_MAX;
      },
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#sequencers.map(({ process }) => process.stop()));
    await this.#archivist?.stop();
    for (const { proxy } of this.#sequencers) proxy.close();
    await this.#nats?.close();
    await this.#servers?.stop();
    SmallDisk.unmount(this.#storeFolder);
    if (process.env.RIALTO_KEEP === undefined) rmSync(this.folder, { recursive: true });
    else console.log(`kept: ${this.folder}`);
  }

  #start(
    service: string,
    name: string,
    source: string,
    url: string,
    settings: Readonly<Record<string, string>> = {},
  ): SupervisedProcess {
    return new SupervisedProcess({
      name,
      program: relative(REPOSITORY, join(source, 'services', service, 'main.ts')),
      settings: {
        RIALTO_MODE: 'development',
        RIALTO_EXCHANGE: EXCHANGE,
        RIALTO_REPLICAS: '1',
        RIALTO_NATS_URLS: url,
        RIALTO_INSTANCE: name,
        ...settings,
      },
      logFile: join(this.folder, `${name}.log`),
      onExit: () => {},
    });
  }
}

/** Leads (1) or follows (0), up to this frame; undefined if it is not ready. */
export async function roleOf({
  process,
}: Pick<StagedSequencer, 'process'>): Promise<{ leads: number; sequence: number } | undefined> {
  const { status } = await ask(process, '/ready');
  if (status !== 200) return undefined;
  const { text } = await ask(process, '/metrics');
  const metric = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return {
    leads: metric('rialto_sequencer_leads'),
    sequence: metric('rialto_sequencer_sequence'),
  };
}

/** Status 0 if it does not answer. */
export async function ask(
  process: SupervisedProcess,
  path: string,
): Promise<{ status: number; text: string }> {
  try {
    const port = process.lastLogged(/"healthPort":(\d+)/);
    const signal = AbortSignal.timeout(1_000);
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return { status: 0, text: '' };
  }
}
