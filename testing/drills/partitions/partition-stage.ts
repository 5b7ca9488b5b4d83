// The processes of the drill: three log servers in namespaces of their own, each on a disk of its
// own, two sequencers whose clocks can be moved, and a prober. It always cleans up.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectNats, type Nats } from '../../../infra/bus/index.ts';
import { journalNames } from '../../../infra/journal/index.ts';
import { type NatsNode, type NatsServers, startNats } from '../../../tools/services/nats.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { SupervisedProcess } from '../journal/supervised-process.ts';
import { Prober } from '../liveness/prober.ts';
import { EXCHANGE, roleOf } from '../liveness/stage.ts';
import { FrozenDisk } from './frozen-disk.ts';
import { Network } from './network.ts';

const NAMES = ['s1', 's2'];
const WITHIN_MS = 300_000;
const LAG_MAX = 64;
/** From the Debian package faketime. */
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

export class PartitionStage {
  readonly network = new Network();
  readonly #folder = mkdtempSync(join(tmpdir(), 'rialto-partitions-'));
  readonly #disks: FrozenDisk[] = [];
  readonly #sequencers: SupervisedProcess[] = [];
  #servers: NatsServers | undefined;
  #nats: Nats | undefined;
  #prober: Prober | undefined;

  get nats(): Nats {
    return this.#nats!;
  }

  get prober(): Prober {
    return this.#prober!;
  }

  get nodes(): readonly NatsNode[] {
    return this.#servers!.nodes;
  }

  get disks(): readonly FrozenDisk[] {
    return this.#disks;
  }

  get canMoveClocks(): boolean {
    return existsSync(FAKETIME);
  }

  async open(): Promise<void> {
    this.network.open();
    for (const name of ['n1', 'n2', 'n3']) {
      const store = join(this.#folder, 'nats', name, 'store');
      this.#disks.push(new FrozenDisk(store, join(this.#folder, `${name}.ext4`)));
    }
    const folder = join(this.#folder, 'nats');
    this.#servers = await startNats({ folder, nodes: 3, hosts: this.network.hosts });
    const { urls } = this.#servers;
    this.#nats = await connectNats({ urls, name: 'drill' });
    for (const name of NAMES) this.#sequencers.push(this.#start(name, urls));
    this.#prober = new Prober(this.#nats, EXCHANGE);
    await this.waitUntilPaired();
  }

  /** The server that leads COMMANDS comes first; counted from 0. */
  async serversByRole(): Promise<readonly number[]> {
    const { stream } = journalNames(EXCHANGE).commands;
    const answer = await this.nats.client.request(`$JS.API.STREAM.INFO.${stream}`, '');
    const leader = answer.json<{ cluster?: { leader?: string } }>().cluster?.leader;
    const at = this.nodes.findIndex(({ name }) => name === leader);
    return [at, (at + 1) % 3, (at + 2) % 3];
  }

  /** Moves the clock of the sequencer that leads, or of the other one. */
  async moveClock(role: 'leader' | 'standby', bySeconds: number): Promise<void> {
    for (const one of this.#sequencers) {
      const isLeader = (await roleOf({ process: one }))?.leads === 1;
      if (isLeader === (role === 'leader')) this.#setClock(one.name, bySeconds);
    }
  }

  resetClocks(): void {
    for (const name of NAMES) this.#setClock(name, 0);
  }

  async waitUntilPaired(): Promise<void> {
    await waitUntil({
      what: 'one sequencer leads and one follows',
      timeoutMs: WITHIN_MS,
      question: async () => {
        const all = await Promise.all(this.#sequencers.map((one) => roleOf({ process: one })));
        const leader = all.find((one) => one?.leads === 1);
        const standby = all.find((one) => one?.leads === 0);
        if (leader === undefined || standby === undefined) return false;
        return standby.sequence >= leader.sequence - LAG_MAX;
      },
    });
    await this.#servers?.waitUntilReady();
  }

  async close(): Promise<void> {
    await Promise.all(this.#sequencers.map((one) => one.stop()));
    await this.#nats?.close();
    await this.#servers?.stop();
    for (const disk of this.#disks) disk.unmount();
    this.network.close();
    if (process.env.RIALTO_KEEP === undefined) rmSync(this.#folder, { recursive: true });
    else console.log(`kept: ${this.#folder}`);
  }

  #setClock(name: string, bySeconds: number): void {
    writeFileSync(this.#clockFile(name), `+${bySeconds}\n`);
  }

  #clockFile(name: string): string {
    return join(this.#folder, `${name}.clock`);
  }

  #start(name: string, urls: readonly string[]): SupervisedProcess {
    this.#setClock(name, 0);
    const moved = {
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: this.#clockFile(name),
      FAKETIME_NO_CACHE: '1',
      // Only the wall clock is wrong.
      DONT_FAKE_MONOTONIC: '1',
    };
    return new SupervisedProcess({
      name,
      program: 'services/sequencer/main.ts',
      settings: {
        RIALTO_MODE: 'development',
        RIALTO_EXCHANGE: EXCHANGE,
        RIALTO_REPLICAS: '3',
        RIALTO_NATS_URLS: urls.join(','),
        RIALTO_INSTANCE: name,
        ...(this.canMoveClocks ? moved : {}),
      },
      logFile: join(this.#folder, `${name}.log`),
      onExit: () => {},
    });
  }
}
