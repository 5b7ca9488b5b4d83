// The loop of the chain watcher: one step in each network, on one connection. Only one process of
// an exchange records blocks; others are standbys.

import {
  type ConnectionOptions,
  LOCKS,
  type OwnConnection,
  SingletonLoop,
} from '../../infra/postgres/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import type { NetworkWatcher } from './network-watcher.ts';

export interface ChainWatcherOptions {
  readonly clock: Clock;
  /** Connection to the registry. */
  readonly connection: ConnectionOptions;
  readonly networks: readonly NetworkWatcher[];
  readonly everyMs: number;
  /** Operators stopped the intake of this service. */
  isIntakeStopped(): boolean;
  /** Returns the assets whose deposits operators stopped. */
  stoppedAssets(connection: OwnConnection): Promise<ReadonlySet<number>>;
  /** Deposits were credited: commands are in the outbox. */
  onDeposits(): void;
  onDown(fault: unknown): void;
  onUp(): void;
  /** The watcher cannot continue and has stopped. */
  onFault(reason: string, cause?: unknown): void;
}

export class ChainWatcher {
  readonly #options: ChainWatcherOptions;
  readonly #loop: SingletonLoop;

  constructor(options: ChainWatcherOptions) {
    this.#options = options;
    const { clock, connection, everyMs } = options;
    this.#loop = new SingletonLoop({
      clock,
      connection,
      lockClass: LOCKS.chainWatcher,
      standbyMs: everyMs,
      round: (one) => this.#round(one),
      onDown: (fault) => options.onDown(fault),
      onUp: () => options.onUp(),
      onFault: (reason, cause) => options.onFault(reason, cause),
    });
    this.#loop.start();
  }

  get isDatabaseUp(): boolean {
    return this.#loop.isDatabaseUp;
  }

  get isActive(): boolean {
    return this.#loop.isActive;
  }

  wake(): void {
    this.#loop.wake();
  }

  /** Resolves when the block in progress is recorded and the connection is closed. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #round(connection: OwnConnection): Promise<number> {
    const { everyMs, isIntakeStopped, networks, onDeposits, stoppedAssets } = this.#options;
    if (isIntakeStopped()) return everyMs;
    const stopped = await stoppedAssets(connection);
    let hasMore = false;
    for (const network of networks) {
      if (this.#loop.isStopped) return 0;
      const result = await network.step(connection, stopped);
      hasMore ||= result.hasMore;
      if (result.deposits > 0) onDeposits();
    }
    return hasMore ? 0 : everyMs;
  }
}
