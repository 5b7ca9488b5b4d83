// Processes of the drill: one log server on a small disk, two sequencers behind proxies, an
// archivist for snapshots, and a prober. Always cleans up.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NatsNode } from '../../../tools/services/nats.ts';
import { EXCHANGE, LogStage } from '../harness/log-stage.ts';
import { Prober } from '../harness/prober.ts';
import { SmallDisk } from '../harness/small-disk.ts';
import type { SupervisedProcess } from '../harness/supervised-process.ts';
import { copyWithBug } from './faulty-source.ts';
import { NatsProxy } from './nats-proxy.ts';

const NAMES = ['s1', 's2'];

export class Stage {
  readonly log = new LogStage('liveness');
  /** Disk, or the reason why there is none. */
  readonly disk: SmallDisk | string;
  readonly #proxies = new Map<string, NatsProxy>();
  #prober: Prober | undefined;

  constructor() {
    mkdirSync(this.#storeFolder, { recursive: true });
    this.disk = SmallDisk.mount(this.#storeFolder);
  }

  get #storeFolder(): string {
    return join(this.log.folder, 'nats', 'alone', 'store');
  }

  get node(): NatsNode {
    return this.log.nodes[0];
  }

  get prober(): Prober {
    return this.#prober!;
  }

  async open(): Promise<void> {
    const source = join(this.log.folder, 'source');
    copyWithBug(source);
    await this.log.startServers({ nodes: 1 });
    await this.log.createLog();
    for (const name of NAMES) {
      const { proxy, url } = await NatsProxy.open(this.node.port);
      this.#proxies.set(name, proxy);
      this.log.start('sequencer', { name, source, settings: { RIALTO_NATS_URLS: url } });
    }
    const settings = {
      RIALTO_ARCHIVE_FOLDER: join(this.log.folder, 'archive'),
      RIALTO_SNAPSHOT_EVERY_MS: '600000',
    };
    this.log.start('archivist', { source, settings });
    this.#prober = new Prober(this.log.nats, EXCHANGE);
    await this.log.waitUntilPaired();
  }

  proxyOf({ name }: SupervisedProcess): NatsProxy {
    return this.#proxies.get(name)!;
  }

  async close(): Promise<void> {
    await this.log.stop();
    for (const proxy of this.#proxies.values()) proxy.close();
    await this.log.close(() => SmallDisk.unmount(this.#storeFolder));
  }
}
