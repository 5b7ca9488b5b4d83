// Publishes every change from its sources at least once and in order. Marks changes as published
// when the bus has received them. One process publishes, on a separate connection, because a
// dispatcher round can be delayed by the engine and a notice must not be.

import {
  type ConnectionOptions,
  LOCKS,
  type OwnConnection,
  SingletonLoop,
} from '../../infra/postgres/index.ts';
import type { Clock } from '../../infra/process/index.ts';

export interface ChangePublisherOptions {
  readonly clock: Clock;
  /** Connection to the registry. */
  readonly connection: ConnectionOptions;
  readonly sources: readonly ChangeSource<unknown>[];
  /** While true, changes are queued. */
  isIntakeStopped(): boolean;
  readonly watcher: ChangePublisherWatcher;
  /** The publisher cannot continue and has stopped. */
  onFault(reason: string, cause?: unknown): void;
}

/** A feature's table of changes. */
export interface ChangeSource<Change> {
  /** Returns the first unpublished changes, in order. */
  read(connection: OwnConnection, limit: number): Promise<readonly Change[]>;
  /** Publishes in this order. Resolves with false if it is unknown which of them arrived. */
  publish(changes: readonly Change[]): Promise<boolean>;
  markPublished(connection: OwnConnection, changes: readonly Change[]): Promise<void>;
  onPublished?(changes: readonly Change[], nowMs: number): void;
}

export interface ChangePublisherWatcher {
  /** The bus did not confirm the changes, so they are published again. */
  publishFailed(count: number): void;
}

const BATCH = 500;
/** Interval between wake-ups, in case one is lost. An empty poll reads an empty index. */
const POLL_MS = 200;
/** Pause after the bus did not confirm, and between two attempts to take the lock. */
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
      // The dispatcher, which has the same database, reports outages.
      onFault,
    });
    this.#loop.start();
  }

  /** Called when a change might have been committed. */
  wake(): void {
    this.#loop.wake();
  }

  /** Resolves when the connection is closed. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #round(connection: OwnConnection): Promise<number> {
    const { clock, isIntakeStopped, sources, watcher } = this.#options;
    if (isIntakeStopped()) return POLL_MS;
    let pauseMs = POLL_MS;
    for (const source of sources) {
      const changes = await source.read(connection, BATCH);
      if (changes.length === 0) continue;
      if (!(await source.publish(changes))) {
        watcher.publishFailed(changes.length);
        return RETRY_MS;
      }
      await source.markPublished(connection, changes);
      source.onPublished?.(changes, clock.nowMs());
      pauseMs = 0;
    }
    return pauseMs;
  }
}
