// Publishes every change of a deposit, a withdrawal or a stake, at least once and in order: changes
// are marked as published when the bus has received them. One process publishes, on a
// connection of its own: a round of the dispatcher may wait for the engine, a notice must not.

import {
  markChangesPublished,
  readUnpublishedChanges,
  type TransferChange,
} from '../../features/payments/index.ts';
import {
  markStakeChangesPublished,
  readUnpublishedStakeChanges,
  type StakeChange,
} from '../../features/staking/index.ts';
import {
  type ConnectionOptions,
  LOCKS,
  type OwnConnection,
  SingletonLoop,
} from '../../infra/postgres/index.ts';
import type { Clock } from '../../infra/process/index.ts';

export interface ChangePublisherOptions {
  readonly clock: Clock;
  /** To the registry. */
  readonly connection: ConnectionOptions;
  /** In this order. False: nobody knows which of them arrived. */
  publish(changes: readonly TransferChange[]): Promise<boolean>;
  publishStakes(changes: readonly StakeChange[]): Promise<boolean>;
  /** Changes wait meanwhile. */
  isIntakeStopped(): boolean;
  readonly watcher: ChangePublisherWatcher;
  /** The publisher cannot continue and has stopped. */
  onFault(reason: string, cause?: unknown): void;
}

export interface ChangePublisherWatcher {
  published(changes: readonly TransferChange[], nowMs: number): void;
  /** The bus did not confirm that it has received the changes; they are published again. */
  publishFailed(count: number): void;
}

const BATCH = 500;
/** Between wake-ups, in case one is lost. An empty poll reads an empty index. */
const POLL_MS = 200;
/** After the bus did not confirm, and between two attempts to take the lock. */
const RETRY_MS = 100;

export class ChangePublisher {
  readonly #options: ChangePublisherOptions;
  readonly #loop: SingletonLoop;

  constructor(options: ChangePublisherOptions) {
    this.#options = options;
    const { clock, connection, onFault } = options;
    this.#loop = new SingletonLoop({
      clock,
      connection,
      lockClass: LOCKS.changePublisher,
      standbyMs: RETRY_MS,
      round: (one) => this.#round(one),
      // Outages are reported by the dispatcher, which has the same database.
      onFault,
    });
    this.#loop.start();
  }

  /** A change may have been committed. */
  wake(): void {
    this.#loop.wake();
  }

  /** Resolves when the connection is closed. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #round(connection: OwnConnection): Promise<number> {
    if (this.#options.isIntakeStopped()) return POLL_MS;
    const changes = await readUnpublishedChanges(connection, BATCH);
    const ofStakes = await readUnpublishedStakeChanges(connection, BATCH);
    if (changes.length + ofStakes.length === 0) return POLL_MS;
    const isPublished =
      (await this.#publish(connection, changes)) &&
      (await this.#publishStakes(connection, ofStakes));
    return isPublished ? 0 : RETRY_MS;
  }

  async #publish(connection: OwnConnection, changes: readonly TransferChange[]): Promise<boolean> {
    const { clock, publish, watcher } = this.#options;
    if (changes.length === 0) return true;
    if (!(await publish(changes))) return this.#failed(changes.length);
    await markChangesPublished(connection, changes);
    watcher.published(changes, clock.nowMs());
    return true;
  }

  async #publishStakes(
    connection: OwnConnection,
    changes: readonly StakeChange[],
  ): Promise<boolean> {
    if (changes.length === 0) return true;
    if (!(await this.#options.publishStakes(changes))) return this.#failed(changes.length);
    await markStakeChangesPublished(connection, changes);
    return true;
  }

  #failed(count: number): false {
    this.#options.watcher.publishFailed(count);
    return false;
  }
}
