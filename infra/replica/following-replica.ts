// Builds a replica from the newest usable snapshot and the log after it. Every start works this
// way: a follower's, a standby's, and that of a leader that lost its state.

import {
  exchangeIdOf,
  LogReader,
  type LogStream,
  openSealedFrame,
  readNewest,
  type SealedFrame,
  type SnapshotStore,
} from '../journal/index.ts';
import type { Clock } from '../process/index.ts';
import { type Applied, Replica, type ReplicaRestoration } from './replica.ts';

export interface FollowOptions {
  readonly commands: LogStream;
  /** The exchange whose log it expects: frame 1 must have this id. Undefined if any is right. */
  readonly exchangeId?: string | undefined;
  readonly snapshots: Pick<SnapshotStore, 'newest'>;
  readonly clock: Clock;
  readonly retryMs: number;
  readonly watchMs: number;
  /** The latest frame of a usable snapshot: the events of later frames are still needed. */
  readonly atMost: number;
  /** The initial state is loaded. */
  onStarted(replica: Replica): void;
  /** Called for each later frame, in order. */
  onApplied(applied: Applied, replica: Replica, sealed: SealedFrame): void;
  /** The log does not return a message that it claims to have; the reader keeps asking. */
  onStalled?(reason: string): void;
  /** The log or the snapshot is invalid; nothing follows. */
  onFault(reason: string, cause?: unknown): void;
}

/** starting: waits for a snapshot. following: applies frames. stopped. */
type State = 'starting' | 'following' | 'stopped';

export class FollowingReplica {
  readonly #options: FollowOptions;
  #state: State = 'starting';
  #replica: Replica | undefined;
  #reader: LogReader<SealedFrame> | undefined;
  #isPaused = false;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#askForSnapshot();
  }

  /** Undefined until the snapshot is loaded. */
  get replica(): Replica | undefined {
    return this.#replica;
  }

  /** While paused, no frame is applied; the log keeps them. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#reader?.pause(isPaused);
  }

  /** Stops following; the replica stays as it is and can be used on. */
  stop(): void {
    this.#state = 'stopped';
    this.#reader?.stop();
  }

  #askForSnapshot(): void {
    const { atMost, clock, retryMs, snapshots } = this.#options;
    readNewest({ snapshots, atMost, begin: Replica.restoration }, (answer) => {
      if (this.#state !== 'starting') return;
      if (answer === 'unavailable') clock.after(retryMs, () => this.#askAgain());
      else this.#start(answer === 'none' ? undefined : answer);
    });
  }

  #askAgain(): void {
    if (this.#state === 'starting') this.#askForSnapshot();
  }

  #start(restoration: ReplicaRestoration | undefined): void {
    try {
      this.#replica = restoration === undefined ? Replica.create() : restoration.end();
    } catch (fault) {
      this.#fail('the snapshot cannot be restored', fault);
      return;
    }
    const replica = this.#replica;
    this.#state = 'following';
    const { clock, commands: log, onStarted, retryMs, watchMs } = this.#options;
    onStarted(replica);
    if (this.#isStopped()) return;
    this.#reader = new LogReader({
      log,
      clock,
      retryMs,
      watchMs,
      from: replica.sequence + 1,
      open: openSealedFrame,
      receive: (sealed) => this.#apply(replica, sealed),
      onStalled: (reason) => this.#options.onStalled?.(reason),
      onLost: (reason) => this.#fail(reason),
    });
    this.#reader.pause(this.#isPaused);
  }

  #apply(replica: Replica, sealed: SealedFrame): void {
    const { exchangeId } = this.#options;
    if (replica.sequence === 0 && exchangeId !== undefined) {
      const found = exchangeIdOf(sealed.frame);
      if (found !== exchangeId) {
        this.#fail(`frame 1 is that of exchange ${found}, but the log is named ${exchangeId}`);
        return;
      }
    }
    let applied: Applied;
    try {
      applied = replica.follow(sealed);
    } catch (fault) {
      this.#fail(`frame ${replica.sequence + 1} cannot be applied`, fault);
      return;
    }
    this.#options.onApplied(applied, replica, sealed);
  }

  #isStopped(): boolean {
    return this.#state === 'stopped';
  }

  #fail(reason: string, cause?: unknown): void {
    this.stop();
    this.#options.onFault(reason, cause);
  }
}
