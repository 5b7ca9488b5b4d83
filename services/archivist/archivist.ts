// The archivist follows the log with a replica of its own, writes every frame into the archive, and
// makes snapshots. Nobody waits for it: it may be killed, lag behind or start again at any time.

import type {
  Archive,
  FolderSnapshots,
  LogStream,
  SegmentInfo,
  Snapshot,
  SnapshotInfo,
  SnapshotStore,
} from '../../infra/journal/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';
import { FollowingReplica, type Replica } from '../../infra/replica/index.ts';
import { SegmentMaker } from './segment-maker.ts';
import { SnapshotMaker } from './snapshot-maker.ts';

export interface ArchivistOptions {
  readonly commands: LogStream;
  readonly events: LogStream;
  readonly snapshots: SnapshotStore;
  readonly archive: Archive;
  /** Beside the segments, so that a replay need not begin at the first frame. */
  readonly archivedSnapshots: FolderSnapshots;
  readonly clock: Clock;
  readonly settings: ArchivistSettings;
  readonly watcher: ArchivistWatcher;
  onFault(reason: string, cause?: unknown): void;
}

export interface ArchivistSettings {
  /** A segment is cut when it has so many bytes or is so old. */
  readonly segmentBytes: number;
  readonly segmentEveryMs: number;
  /** A snapshot is made after so many frames, or when the last is so old. */
  readonly snapshotEveryFrames: number;
  readonly snapshotEveryMs: number;
  readonly snapshotsKept: number;
  readonly archivedSnapshotsKept: number;
  readonly retryMs: number;
  readonly watchMs: number;
  readonly tickMs: number;
}

export const ARCHIVIST_DEFAULTS: ArchivistSettings = {
  segmentBytes: 16 * 1024 * 1024,
  segmentEveryMs: 60_000,
  snapshotEveryFrames: 250_000,
  snapshotEveryMs: 600_000,
  snapshotsKept: 3,
  archivedSnapshotsKept: 100,
  retryMs: 100,
  watchMs: 500,
  tickMs: 250,
};

export interface ArchivistWatcher {
  started(sequence: number): void;
  archived(segment: SegmentInfo): void;
  /** The log does not give a frame that it says it has. */
  stuck(reason: string): void;
  snapshotTaken(info: SnapshotInfo, bytes: number): void;
  snapshotCounts(info: SnapshotInfo): void;
  snapshotUnsound(info: SnapshotInfo): void;
}

export class Archivist {
  readonly #options: ArchivistOptions;
  readonly #segments: SegmentMaker;
  readonly #snapshots: SnapshotMaker;
  readonly #follower: FollowingReplica;
  #tick: Timer | undefined;
  #cutAtMs: number;
  #snapshotAtMs: number;
  #snapshotSequence = 0;
  /** Snapshots on their way into the archive's folder. */
  #copies = 0;

  constructor(options: ArchivistOptions) {
    this.#options = options;
    const { archive, clock, commands, events, settings, snapshots, watcher, onFault } = options;
    const { retryMs, segmentBytes, snapshotsKept: keep, watchMs } = settings;
    this.#segments = new SegmentMaker({
      archive,
      segmentBytes,
      onFault,
      onArchived: (segment) => watcher.archived(segment),
    });
    this.#snapshots = new SnapshotMaker({
      events,
      snapshots,
      clock,
      retryMs,
      keep,
      onCounted: (snapshot) => this.#counted(snapshot),
      onUnsound: ({ info }) => watcher.snapshotUnsound(info),
    });
    this.#cutAtMs = clock.elapsedMs();
    this.#snapshotAtMs = this.#cutAtMs;
    // A snapshot of a later frame would leave a hole in the archive.
    const archivedTo = archive.end.sequence;
    this.#follower = new FollowingReplica({
      commands,
      snapshots,
      clock,
      retryMs,
      watchMs,
      atMost: archivedTo,
      onStarted: ({ sequence }) => {
        this.#snapshotSequence = sequence;
        watcher.started(sequence);
      },
      onApplied: ({ encoded }, replica, { frame }) => {
        if (replica.sequence > archivedTo) this.#segments.add(frame, encoded.parts);
        this.#maySnapshot(replica);
      },
      onStalled: (reason) => watcher.stuck(reason),
      onFault,
    });
    this.#lookAround();
  }

  get replica(): Replica | undefined {
    return this.#follower.replica;
  }

  /** Puts what was collected into the archive, then ends. */
  stop(): void {
    this.#follower.stop();
    this.#snapshots.stop();
    this.#tick?.cancel();
    this.#segments.cut();
  }

  /** No file is being written. */
  get isIdle(): boolean {
    return this.#segments.isIdle && this.#copies === 0;
  }

  #lookAround(): void {
    const { clock, settings } = this.#options;
    const nowMs = clock.elapsedMs();
    if (nowMs - this.#cutAtMs >= settings.segmentEveryMs) {
      this.#cutAtMs = nowMs;
      this.#segments.cut();
    }
    const { replica } = this.#follower;
    if (replica !== undefined) this.#maySnapshot(replica);
    this.#tick = clock.after(settings.tickMs, () => this.#lookAround());
  }

  #maySnapshot(replica: Replica): void {
    const { clock, settings, watcher } = this.#options;
    const frames = replica.sequence - this.#snapshotSequence;
    if (this.#snapshots.isBusy || frames === 0) return;
    const nowMs = clock.elapsedMs();
    const isDue =
      frames >= settings.snapshotEveryFrames ||
      nowMs - this.#snapshotAtMs >= settings.snapshotEveryMs;
    if (!isDue) return;
    const snapshot = replica.snapshot();
    this.#snapshotSequence = replica.sequence;
    this.#snapshotAtMs = nowMs;
    this.#cutAtMs = nowMs;
    watcher.snapshotTaken(snapshot.info, snapshot.bytes.length);
    this.#segments.cut(snapshot.info.stateHash);
    this.#snapshots.make(snapshot);
  }

  #counted(snapshot: Snapshot): void {
    const { archivedSnapshots: store, settings, watcher } = this.#options;
    const { sequence } = snapshot.info;
    watcher.snapshotCounts(snapshot.info);
    // For replays only, and no harm when it fails: the store reports it, and the next will follow.
    this.#copies++;
    const end = () => {
      this.#copies--;
    };
    store.write(snapshot, (isWritten) => {
      if (!isWritten) end();
      else store.confirm(sequence, () => store.prune(settings.archivedSnapshotsKept, end));
    });
  }
}
