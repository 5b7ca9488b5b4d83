// A replica from nothing: the newest snapshot that may be used, and the log from there on. The
// same way at every start, for a leader that lost its state, and for every follower.

import {
  LogReader,
  type LogStream,
  openSealedFrame,
  type SealedFrame,
  type Snapshot,
  type SnapshotStore,
} from '../journal/index.ts';
import type { Clock } from '../process/index.ts';
import { type Applied, Replica } from './replica.ts';

export interface FollowOptions {
  readonly commands: LogStream;
  readonly snapshots: SnapshotStore;
  readonly clock: Clock;
  readonly retryMs: number;
  readonly watchMs: number;
  /** No snapshot of a later frame is used: what frames after this one gave is still wanted. */
  readonly atMost: number;
  /** The state to start from is there. */
  onStarted(replica: Replica): void;
  /** Each frame after that, in order. */
  onApplied(applied: Applied, replica: Replica, sealed: SealedFrame): void;
  /** The log does not give what it says it has; it is asked on. */
  onStuck?(reason: string): void;
  /** The log or the snapshot can not be what it should be; nothing follows. */
  onFault(reason: string, cause?: unknown): void;
}

/** starting: waits for a snapshot. following: applies frames. stopped. */
type State = 'starting' | 'following' | 'stopped';

export class FollowingReplica {
  readonly #options: FollowOptions;
  #state: State = 'starting';
  #replica: Replica | undefined;
  #reader: LogReader<SealedFrame> | undefined;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#askForSnapshot();
  }

  /** Undefined until it has started. */
  get replica(): Replica | undefined {
    return this.#replica;
  }

  /** Ends the following; the replica stays as it is, for whoever goes on with it. */
  stop(): void {
    this.#state = 'stopped';
    this.#reader?.stop();
  }

  #askForSnapshot(): void {
    const { atMost, clock, retryMs, snapshots } = this.#options;
    snapshots.newest(atMost, (answer) => {
      if (this.#state !== 'starting') return;
      if (answer === 'unavailable') clock.after(retryMs, () => this.#askAgain());
      else this.#start(answer === 'none' ? undefined : answer);
    });
  }

  #askAgain(): void {
    if (this.#state === 'starting') this.#askForSnapshot();
  }

  #start(snapshot: Snapshot | undefined): void {
    try {
      this.#replica = snapshot === undefined ? Replica.create() : Replica.restore(snapshot);
    } catch (fault) {
      this.#fail('the snapshot can not be restored', fault);
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
      onStuck: (reason) => this.#options.onStuck?.(reason),
      onLost: (reason) => this.#fail(reason),
    });
  }

  #apply(replica: Replica, sealed: SealedFrame): void {
    let applied: Applied;
    try {
      applied = replica.follow(sealed);
    } catch (fault) {
      this.#fail(`frame ${replica.sequence + 1} can not be applied`, fault);
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
