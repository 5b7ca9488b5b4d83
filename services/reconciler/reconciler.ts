// The reconciler's loop: every few seconds each check takes a step, on one connection. Only one
// process per exchange must compare; others are standbys. A failed check does not stop the others.

import {
  CHECKS,
  type Check,
  Reconciliation,
  type ReconciliationPorts,
  type Round,
} from '../../features/reconciliation/index.ts';
import {
  type ConnectionOptions,
  type DatabaseWatcher,
  LOCKS,
  type OwnConnection,
  SingletonLoop,
} from '../../infra/postgres/index.ts';
import type { Clock } from '../../infra/process/index.ts';

export interface ReconcilerOptions {
  readonly clock: Clock;
  /** Connection to the registry. */
  readonly connection: ConnectionOptions;
  readonly ports: ReconciliationPorts;
  /** Returns whether the replica can be read. */
  isReady(): boolean;
  readonly everyMs: number;
  readonly watcher: ReconcilerWatcher;
  /** The reconciler cannot continue and has stopped. */
  onFault(reason: string, cause?: unknown): void;
}

export interface ReconcilerWatcher extends DatabaseWatcher {
  compared(round: Round, nowMs: number): void;
}

export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #loop: SingletonLoop;
  #reconciliation: Reconciliation;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    const { clock, connection, everyMs, isReady, onFault, watcher } = options;
    this.#reconciliation = new Reconciliation(options.ports);
    this.#loop = new SingletonLoop({
      clock,
      connection,
      lockClass: LOCKS.reconciler,
      standbyMs: everyMs,
      round: async (one) => {
        if (isReady()) await this.#round(one, CHECKS);
        return everyMs;
      },
      // A new connection begins new passes, because earlier suspicions might be outdated.
      onClosed: () => {
        this.#reconciliation = new Reconciliation(options.ports);
      },
      onDown: (fault) => watcher.databaseDown(fault),
      onUp: () => watcher.databaseUp(),
      onFault,
    });
    this.#loop.start();
  }

  get isDatabaseUp(): boolean {
    return this.#loop.isDatabaseUp;
  }

  /** Resolves when the connection is closed. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #round(connection: OwnConnection, checks: readonly Check[]): Promise<void> {
    const { clock, watcher } = this.#options;
    for (const check of checks) {
      if (this.#loop.isStopped) return;
      const nowMs = clock.nowMs();
      watcher.compared(await this.#reconciliation.step(connection, check, nowMs), nowMs);
    }
  }
}
