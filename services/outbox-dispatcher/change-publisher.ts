// Publishes every change of a deposit or a withdrawal, at least once and in order for each request:
// changes are marked as published when the bus has received them. One process publishes, on a
// connection of its own: a round of the dispatcher may wait for the engine, a notice must not.

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
    const { clock, publish, watcher } = this.#options;
    this.#isWoken = false;
    const changes = await readUnpublishedChanges(connection, BATCH);
    if (changes.length === 0) return this.#sleep();
    if (!(await publish(changes))) {
      watcher.publishFailed(changes.length);
      await this.#retries.pause(RETRY_MS);
      return;
    }
    await markChangesPublished(connection, changes);
    watcher.published(changes, clock.nowMs());
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
