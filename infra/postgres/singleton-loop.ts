// The loop of a process that must be the only one of its kind: it holds an advisory lock on its own
// connection and runs one round after another on it. Another process stands by. While PostgreSQL is
// down it retries; any other fault ends it.

import { type Clock, RetryLoop } from '../process/index.ts';
import type { ConnectionOptions, OwnConnection } from './connections.ts';
import { isPassingFault } from './faults.ts';
import { closeConnection, holdSingleton } from './hold-singleton.ts';

export interface SingletonLoopOptions {
  readonly clock: Clock;
  readonly connection: ConnectionOptions;
  /** One of LOCKS. */
  readonly lockClass: number;
  /** The pause of a standby between two attempts to take the lock. */
  readonly standbyMs: number;
  /** The first and the longest pause while PostgreSQL is down. */
  readonly retryMs?: number;
  readonly retryMsMax?: number;
  /** Resolves with the pause until the next round; 0 for none. */
  round(connection: OwnConnection): Promise<number>;
  /** It has the lock on a new connection. Called before the first round on it. */
  onConnected?(connection: OwnConnection): void | Promise<void>;
  /** Another process has the lock. */
  onStandby?(): void;
  /** The connection is closed: the next round has a new one. */
  onClosed?(): void;
  onDown?(fault: unknown): void;
  onUp?(): void;
  /** The loop cannot continue and has stopped. */
  onFault(reason: string, cause?: unknown): void;
}

const RETRY_MS = 100;
const RETRY_MS_MAX = 5_000;

/** waiting: for PostgreSQL or the lock. active: rounds. stopped. */
export class SingletonLoop {
  readonly #options: SingletonLoopOptions;
  readonly #retries: RetryLoop;
  #ended: Promise<void> = Promise.resolve();
  #connection: OwnConnection | undefined;
  #isWoken = false;
  #isAsleep = false;

  constructor(options: SingletonLoopOptions) {
    this.#options = options;
    this.#retries = new RetryLoop({
      clock: options.clock,
      retryMs: options.retryMs ?? RETRY_MS,
      retryMsMax: options.retryMsMax ?? RETRY_MS_MAX,
      isRetryable: isPassingFault,
      onFailure: () => this.#close(),
      onDown: (fault) => options.onDown?.(fault),
      onUp: () => options.onUp?.(),
    });
  }

  /** Call it once, when everything that a round needs exists. */
  start(): void {
    this.#ended = this.#run().catch((fault: unknown) => this.#fail(fault));
  }

  get isDatabaseUp(): boolean {
    return !this.#retries.isDown;
  }

  /** It holds the lock. */
  get isActive(): boolean {
    return this.#connection !== undefined;
  }

  get isStopped(): boolean {
    return this.#retries.isStopped;
  }

  /** Begins the next round without a pause. */
  wake(): void {
    this.#isWoken = true;
    if (this.#isAsleep) this.#retries.endPause();
  }

  /** Pauses within a round. Only `stop` ends this pause early. */
  async pause(pauseMs: number): Promise<void> {
    await this.#retries.pause(pauseMs);
  }

  /** Ends the pause, not the round in progress. Resolves when the connection is closed. */
  async stop(): Promise<void> {
    this.#retries.stop();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#retries.isStopped) {
      const pauseMs = await this.#retries.run(async () => {
        this.#connection ??= await this.#connect();
        if (this.#connection === undefined) return 0;
        this.#retries.succeeded();
        this.#isWoken = false;
        return this.#options.round(this.#connection);
      });
      if (pauseMs !== undefined && pauseMs > 0) await this.#sleep(pauseMs);
    }
    this.#close();
  }

  /** Undefined if it was stopped while it waited for the lock. */
  async #connect(): Promise<OwnConnection | undefined> {
    const { lockClass, onConnected, onStandby, standbyMs } = this.#options;
    const connection = await holdSingleton({
      connection: this.#options.connection,
      lockClass,
      onStandby: () => {
        // A standby is connected: the outage is over for it too.
        this.#retries.succeeded();
        onStandby?.();
      },
      wait: () => this.#retries.pause(standbyMs),
    });
    if (connection === undefined) return undefined;
    try {
      await onConnected?.(connection);
    } catch (fault) {
      closeConnection(connection);
      throw fault;
    }
    return connection;
  }

  async #sleep(pauseMs: number): Promise<void> {
    if (this.#isWoken) return;
    this.#isAsleep = true;
    await this.#retries.pause(pauseMs);
    this.#isAsleep = false;
  }

  #close(): void {
    if (this.#connection !== undefined) closeConnection(this.#connection);
    this.#connection = undefined;
    this.#options.onClosed?.();
  }

  #fail(fault: unknown): void {
    this.#close();
    if (this.#retries.isStopped) return;
    this.#retries.stop();
    this.#options.onFault(fault instanceof Error ? fault.message : String(fault), fault);
  }
}
