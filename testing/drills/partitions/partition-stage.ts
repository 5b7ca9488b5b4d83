// Processes of the drill: three log servers in separate namespaces, each on its own disk, two
// sequencers whose clocks can be changed, and a prober. Always cleans up.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { journalNames } from '../../../infra/journal/index.ts';
import { EXCHANGE, LogStage } from '../harness/log-stage.ts';
import { Network } from '../harness/network.ts';
import { Prober } from '../harness/prober.ts';
import { FrozenDisk } from './frozen-disk.ts';

const NAMES = ['s1', 's2'];
/** From the Debian package faketime. */
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

export class PartitionStage {
  readonly log = new LogStage('partitions');
  readonly network = new Network();
  readonly #disks: FrozenDisk[] = [];
  #prober: Prober | undefined;

  get prober(): Prober {
    return this.#prober!;
  }

  get disks(): readonly FrozenDisk[] {
    return this.#disks;
  }

  get canMoveClocks(): boolean {
    return existsSync(FAKETIME);
  }

  async open(): Promise<void> {
    this.network.open();
    const { folder } = this.log;
    for (const name of ['n1', 'n2', 'n3']) {
      const store = join(folder, 'nats', name, 'store');
      this.#disks.push(new FrozenDisk(store, join(folder, `${name}.ext4`)));
    }
    await this.log.startServers({ nodes: 3, hosts: this.network.hosts });
    await this.log.createLog();
    for (const name of NAMES) {
      this.#setClock(name, 0);
      this.log.start('sequencer', { name, settings: this.#movedClock(name) });
    }
    this.#prober = new Prober(this.log.nats, EXCHANGE);
    await this.log.waitUntilPaired();
  }

  /** Returns server indexes from 0; the server that leads COMMANDS comes first. */
  async serversByRole(): Promise<readonly number[]> {
    const { stream } = journalNames(EXCHANGE).commands;
    const answer = await this.log.nats.client.request(`$JS.API.STREAM.INFO.${stream}`, '');
    const leader = answer.json<{ cluster?: { leader?: string } }>().cluster?.leader;
    const at = this.log.nodes.findIndex(({ name }) => name === leader);
    return [at, (at + 1) % 3, (at + 2) % 3];
  }

  /** Changes the clock of the leading sequencer, or of the other one. */
  async moveClock(role: 'leader' | 'standby', bySeconds: number): Promise<void> {
    const leader = await this.log.leader();
    for (const one of this.log.sequencers) {
      if ((one === leader) === (role === 'leader')) this.#setClock(one.name, bySeconds);
    }
  }

  resetClocks(): void {
    for (const name of NAMES) this.#setClock(name, 0);
  }

  async close(): Promise<void> {
    await this.log.close(() => {
      for (const disk of this.#disks) disk.unmount();
      this.network.close();
    });
  }

  #setClock(name: string, bySeconds: number): void {
    writeFileSync(this.#clockFile(name), `+${bySeconds}\n`);
  }

  #clockFile(name: string): string {
    return join(this.log.folder, `${name}.clock`);
  }

  #movedClock(name: string): Record<string, string> {
    if (!this.canMoveClocks) return {};
    return {
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: this.#clockFile(name),
      FAKETIME_NO_CACHE: '1',
      // Only the wall clock is wrong.
      DONT_FAKE_MONOTONIC: '1',
    };
  }
}
