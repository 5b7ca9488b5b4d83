// Follower that creates snapshots like the archivist, without the archive.

import type { LogStream, SnapshotStore } from '../../infra/journal/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import type { FollowingReplica, Replica } from '../../infra/replica/index.ts';
import type { Release } from './releases.ts';

export interface SnapshotterOptions {
  readonly commands: LogStream;
  readonly events: LogStream;
  readonly snapshots: SnapshotStore;
  readonly clock: Clock;
  readonly release: Release;
  readonly everyFrames: number;
  readonly keep: number;
  readonly retryMs: number;
  readonly watchMs: number;
  onVerified(sequence: number): void;
  onFault(reason: string): void;
}

export class Snapshotter {
  readonly #follower: FollowingReplica;

  constructor(options: SnapshotterOptions) {
    const { clock, commands, events, everyFrames, keep, retryMs, snapshots, watchMs } = options;
    let isRepeated = false;
    const again = () => {
      isRepeated = true;
    };
    const { FollowingReplica, SnapshotMaker } = options.release;
    const maker = new SnapshotMaker({
      events,
      snapshots,
      clock,
      retryMs,
      keep,
      onReleased: () => this.#follower.pause(false),
      onVerified: ({ info }) => options.onVerified(info.sequence),
      onFailed: again,
      onInvalid: again,
    });
    this.#follower = new FollowingReplica({
      commands,
      snapshots,
      clock,
      retryMs,
      watchMs,
      atMost: Number.MAX_SAFE_INTEGER,
      onStarted: () => {},
      onApplied: (_applied, replica) => {
        const isDue = isRepeated || replica.sequence % everyFrames === 0;
        if (!isDue || maker.isBusy) return;
        isRepeated = false;
        this.#follower.pause(true);
        maker.make(replica.snapshot());
      },
      onFault: (reason, cause) => options.onFault(`${reason}: ${cause}`),
    });
  }

  get replica(): Replica | undefined {
    return this.#follower.replica;
  }
}
