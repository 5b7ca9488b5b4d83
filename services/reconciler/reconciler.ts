// The reconciler's loop: every few seconds each check takes a step, on one connection. Only one
// process of an exchange compares; others stand by. A check that fails does not stop the others.

import {
  CHECKS,
  type Check,
  Reconciliation,
  type ReconciliationPorts,
  type Round,
} from '../../domain/reconciliation/index.ts';
import {
  type ConnectionOptions,
  closeConnection,
  holdSingleton,
  isPassingFault,
  type OwnConnection,
} from '../../infra/postgres/index.ts';
import { type Clock, RetryLoop } from '../../infra/process/index.ts';

export interface ReconcilerOptions {
  readonly clock: Clock;
  /** To the registry. */
  readonly connection: ConnectionOptions;
  readonly ports: ReconciliationPorts;
  /** The replica can be read. */
  isReady(): boolean;
  readonly everyMs: number;
  readonly watcher: ReconcilerWatcher;
  /** The reconciler cannot continue and has stopped. */
  onFault(reason: string, cause?: unknown): void;
}

export interface ReconcilerWatcher {
  compared(round: Round, nowMs: number): void;
  databaseDown(fault: unknown): void;
  databaseUp(): void;
}

/** Distinguishes the reconciler's lock from other advisory locks. */
const LOCK_CLASS = 7_421_977;
const RETRY_MS = 100;
const RETRY_MS_MAX = 5_000;

export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #retries: RetryLoop;
  readonly #ended: Promise<void>;
  #reconciliation: Reconciliation;
  #connection: OwnConnection | undefined;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    const { clock, watcher } = options;
    this.#reconciliation = new Reconciliation(options.ports);
    this.#retries = new RetryLoop({
      clock,
      retryMs: RETRY_MS,
      retryMsMax: RETRY_MS_MAX,
      isRetryable: isPassingFault,
      onFailure: () => this.#close(),
      onDown: (fault) => watcher.databaseDown(fault),
      onUp: () => watcher.databaseUp(),
    });
    this.#ended = this.#run().catch((fault: unknown) => this.#fail(fault));
  }

  get isDatabaseUp(): boolean {
    return !this.#retries.isDown;
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
          wait: () => this.#retries.pause(this.#options.everyMs),
        });
        if (this.#connection === undefined) return;
        if (this.#options.isReady()) await this.#round(this.#connection, CHECKS);
      });
      await this.#retries.pause(this.#options.everyMs);
    }
    this.#close();
  }

  async #round(connection: OwnConnection, checks: readonly Check[]): Promise<void> {
    const { clock, watcher } = this.#options;
    for (const check of checks) {
      if (this.#retries.isStopped) return;
      const nowMs = clock.nowMs();
      watcher.compared(await this.#reconciliation.step(connection, check, nowMs), nowMs);
    }
  }

  /** A new connection begins new passes: what was suspected may be long ago. */
  #close(): void {
    if (this.#connection !== undefined) closeConnection(this.#connection);
    this.#connection = undefined;
    this.#reconciliation = new Reconciliation(this.#options.ports);
  }

  #fail(fault: unknown): void {
    this.#close();
    if (this.#retries.isStopped) return;
    this.#retries.stop();
    this.#options.onFault(fault instanceof Error ? fault.message : String(fault), fault);
  }
}
