// Publishes every change of a deposit, a withdrawal or a stake, at least once and in order: changes
// are marked as published when the bus has received them. One process publishes, on a
// connection of its own: a round of the dispatcher may wait for the engine, a notice must not.

import {
  markStakeChangesPublished,
  readUnpublishedStakeChanges,
  type StakeChange,
} from '../../domain/staking/index.ts';
import {
  markChangesPublished,
  readUnpublishedChanges,
  type TransferChange,
} from '../../domain/transfers/index.ts';
import {
  type ConnectionOptions,
  closeConnection,
  holdSingleton,
  isPassingFault,
  type OwnConnection,
} from '../../infra/postgres/index.ts';
import { type Clock, RetryLoop } from '../../infra/process/index.ts';

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

/** Distinguishes the publisher's lock from other advisory locks. */
const LOCK_CLASS = 7_421_976;
const BATCH = 500;
/** Between wake-ups, in case one is lost. An empty poll reads an empty index. */
const POLL_MS = 200;
const RETRY_MS = 100;
const RETRY_MS_MAX = 5_000;

/** waiting: for PostgreSQL or the lock. publishing: rounds. stopped. */
export class ChangePublisher {
  readonly #options: ChangePublisherOptions;
  readonly #retries: RetryLoop;
  readonly #ended: Promise<void>;
  #connection: OwnConnection | undefined;
  #isWoken = false;
  #isAsleep = false;

  constructor(options: ChangePublisherOptions) {
    this.#options = options;
    this.#retries = new RetryLoop({
      clock: options.clock,
      retryMs: RETRY_MS,
      retryMsMax: RETRY_MS_MAX,
      isRetryable: isPassingFault,
      onFailure: () => this.#close(),
      // The dispatcher reports the same database.
      onDown() {},
      onUp() {},
    });
    this.#ended = this.#run().catch((fault: unknown) => this.#fail(fault));
  }

  /** A change may have been committed. */
  wake(): void {
    this.#isWoken = true;
    if (this.#isAsleep) this.#retries.endPause();
  }

  /** Resolves when the connection is closed. */
  async stop(): Promise<void> {
    this.#retries.stop();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#retries.isStopped) {
      await this.#retries.run(async () => {
        this.#connection ??= await holdSingleton({
          connection: this.#options.connection,
          lockClass: LOCK_CLASS,
          wait: () => this.#retries.pause(RETRY_MS),
        });
        if (this.#connection !== undefined) await this.#round(this.#connection);
      });
    }
    this.#close();
  }

  async #round(connection: OwnConnection): Promise<void> {
    this.#isWoken = false;
    if (this.#options.isIntakeStopped()) return this.#sleep();
    const changes = await readUnpublishedChanges(connection, BATCH);
    const ofStakes = await readUnpublishedStakeChanges(connection, BATCH);
    if (changes.length + ofStakes.length === 0) return this.#sleep();
    if (changes.length > 0) await this.#publish(connection, changes);
    if (ofStakes.length > 0) await this.#publishStakes(connection, ofStakes);
  }

  async #publish(connection: OwnConnection, changes: readonly TransferChange[]): Promise<void> {
    const { clock, publish, watcher } = this.#options;
    if (!(await publish(changes))) return this.#failed(changes.length);
    await markChangesPublished(connection, changes);
    watcher.published(changes, clock.nowMs());
  }

  async #publishStakes(connection: OwnConnection, changes: readonly StakeChange[]): Promise<void> {
    if (!(await this.#options.publishStakes(changes))) return this.#failed(changes.length);
    await markStakeChangesPublished(connection, changes);
  }

  async #failed(count: number): Promise<void> {
    this.#options.watcher.publishFailed(count);
    await this.#retries.pause(RETRY_MS);
  }

  async #sleep(): Promise<void> {
    if (this.#isWoken) return;
    this.#isAsleep = true;
    await this.#retries.pause(POLL_MS);
    this.#isAsleep = false;
  }

  #close(): void {
    if (this.#connection !== undefined) closeConnection(this.#connection);
    this.#connection = undefined;
  }

  #fail(fault: unknown): void {
    this.#close();
    if (this.#retries.isStopped) return;
    this.#retries.stop();
    this.#options.onFault(fault instanceof Error ? fault.message : String(fault), fault);
  }
}
