// Follows the log with its own replica, writes every frame to the archive, and takes snapshots. No
// other process must wait for it: it can be killed, lag or restart at any time.

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
import { archivedStart } from './archived-start.ts';
import { SegmentMaker } from './segment-maker.ts';
import { SnapshotMaker } from './snapshot-maker.ts';
import { StoredFrames } from './stored-frames.ts';

export interface ArchivistOptions {
  readonly commands: LogStream;
  /** Required ID of the log's frame 1; undefined accepts any. */
  readonly exchangeId?: string | undefined;
  readonly events: LogStream;
  readonly snapshots: SnapshotStore;
  readonly archive: Archive;
  /** Stored next to the segments, so a replay need not start at the first frame. */
  readonly archivedSnapshots: FolderSnapshots;
  readonly clock: Clock;
  readonly settings: ArchivistSettings;
  readonly watcher: ArchivistWatcher;
  onFault(reason: string, cause?: unknown): void;
}

export interface ArchivistSettings {
  /** A segment ends when it reaches this size or this age. */
  readonly segmentBytes: number;
  readonly segmentEveryMs: number;
  /** A snapshot is taken after this many frames, or when the last one reaches this age. */
  readonly snapshotEveryFrames: number;
  readonly snapshotEveryMs: number;
  readonly snapshotsKept: number;
  readonly archivedSnapshotsKept: number;
  /** Delay after a snapshot that could not be stored. */
  readonly snapshotRetryMs: number;
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
  snapshotRetryMs: 5_000,
  retryMs: 100,
  watchMs: 500,
  tickMs: 250,
};

export interface ArchivistWatcher {
  started(sequence: number): void;
  archived(segment: SegmentInfo): void;
  /** The log does not deliver a frame that it reports as its own. */
  stalled(reason: string): void;
  snapshotTaken(sequence: number): void;
  /** The store did not accept it; another follows. */
  snapshotFailed(info: SnapshotInfo): void;
  snapshotVerified(info: SnapshotInfo): void;
  snapshotInvalid(info: SnapshotInfo): void;
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
  #isWritingSnapshot = false;
  /** Time of the next snapshot after a failed one. */
  #retryAtMs: number | undefined;
  readonly #archived = new StoredFrames();
  readonly #inSnapshot = new StoredFrames();
  /** Number of snapshots being copied to the archive's folder. */
  #copies = 0;

  constructor(options: ArchivistOptions) {
    this.#options = options;
    const { archive, clock, commands, events, settings, snapshots, watcher, onFault } = options;
    const { retryMs, segmentBytes, snapshotsKept: keep, watchMs } = settings;
    this.#segments = new SegmentMaker({
      archive,
      segmentBytes,
      onFault,
      onArchived: (segment) => {
        this.#archived.stored(segment.lastSequence);
        watcher.archived(segment);
      },
      onPace: () => this.#pace(),
    });
    this.#snapshots = new SnapshotMaker({
      events,
      snapshots,
      clock,
      retryMs,
      keep,
      onReleased: (written) => {
        this.#isWritingSnapshot = false;
        if (written !== undefined) this.#segments.cut(written.stateHash);
        this.#pace();
      },
      onVerified: (snapshot) => this.#verified(snapshot),
      onFailed: (info) => {
        this.#retrySnapshot();
        watcher.snapshotFailed(info);
      },
      onInvalid: (info) => {
        this.#retrySnapshot();
        watcher.snapshotInvalid(info);
      },
    });
    this.#cutAtMs = clock.elapsedMs();
    this.#snapshotAtMs = this.#cutAtMs;
    // A snapshot of a later frame would leave a gap in the archive.
    const archivedTo = archive.end.sequence;
    this.#archived.stored(archivedTo);
    this.#follower = new FollowingReplica({
      commands,
      exchangeId: options.exchangeId,
      snapshots: archivedStart({
        commands,
        snapshots,
        source: { archive, snapshots: options.archivedSnapshots },
        onFault,
      }),
      clock,
      retryMs,
      watchMs,
      atMost: archivedTo,
      onStarted: ({ sequence }) => {
        this.#snapshotSequence = sequence;
        this.#inSnapshot.stored(sequence);
        watcher.started(sequence);
      },
      onApplied: ({ encoded }, replica, { frame }) => {
        for (const one of [this.#archived, this.#inSnapshot]) {
          one.applied(replica.sequence, replica.exchange.timeMs);
        }
        if (replica.sequence > archivedTo) this.#segments.add(frame, encoded.parts);
        this.#snapshotIfDue(replica);
      },
      onStalled: (reason) => watcher.stalled(reason),
      onFault,
    });
    this.#onTick();
  }

  get replica(): Replica | undefined {
    return this.#follower.replica;
  }

  /** Age of the oldest unarchived frame; 0 if all are archived. */
  get archiveAgeMs(): number {
    return this.#ageOf(this.#archived);
  }

  /** Age of the oldest frame without a verified snapshot; 0 if all are covered. */
  get snapshotAgeMs(): number {
    return this.#ageOf(this.#inSnapshot);
  }

  /** Stops reading and writes the collected frames to the archive. */
  stop(): void {
    this.#follower.stop();
    this.#snapshots.stop();
    this.#tick?.cancel();
    this.#segments.cut();
  }

  /** True if no file is being written. */
  get isIdle(): boolean {
    return this.#segments.isIdle && this.#copies === 0;
  }

  #onTick(): void {
    const { clock, settings } = this.#options;
    const nowMs = clock.elapsedMs();
    // While an earlier segment is being written, this one grows, so a slow disk gets fewer files.
    const isOld = nowMs - this.#cutAtMs >= settings.segmentEveryMs;
    // A segment that ends with a snapshot is cut when the snapshot is written.
    if (isOld && this.#segments.isIdle && !this.#isWritingSnapshot) {
      this.#cutAtMs = nowMs;
      this.#segments.cut();
    }
    const { replica } = this.#follower;
    if (replica !== undefined) this.#snapshotIfDue(replica);
    this.#tick = clock.after(settings.tickMs, () => this.#onTick());
  }

  #snapshotIfDue(replica: Replica): void {
    const { clock, settings, watcher } = this.#options;
    const frames = replica.sequence - this.#snapshotSequence;
    if (this.#snapshots.isBusy) return;
    const nowMs = clock.elapsedMs();
    const isNewDue =
      frames >= settings.snapshotEveryFrames ||
      (frames > 0 && nowMs - this.#snapshotAtMs >= settings.snapshotEveryMs);
    const isDue = this.#retryAtMs === undefined ? isNewDue : nowMs >= this.#retryAtMs;
    if (!isDue) return;
    const snapshot = replica.snapshot();
    this.#snapshotSequence = replica.sequence;
    this.#snapshotAtMs = nowMs;
    this.#retryAtMs = undefined;
    this.#cutAtMs = nowMs;
    watcher.snapshotTaken(replica.sequence);
    // The state is read while it is written to the store, so it must not change during that time.
    this.#isWritingSnapshot = true;
    this.#pace();
    this.#snapshots.make(snapshot);
  }

  #retrySnapshot(): void {
    const { clock, settings } = this.#options;
    this.#retryAtMs = clock.elapsedMs() + settings.snapshotRetryMs;
  }

  /** Stops reading while the state must not change, and while the disk is behind. */
  #pace(): void {
    this.#follower.pause(this.#isWritingSnapshot || this.#segments.isBehind);
  }

  #ageOf({ waitingSinceMs }: StoredFrames): number {
    const nowMs = this.#options.clock.nowMs();
    return waitingSinceMs === undefined ? 0 : Math.max(0, nowMs - waitingSinceMs);
  }

  #verified(snapshot: Snapshot): void {
    const { archivedSnapshots: store, settings, watcher } = this.#options;
    const { sequence } = snapshot.info;
    this.#inSnapshot.stored(sequence);
    watcher.snapshotVerified(snapshot.info);
    // Only replays use the copy. A failure is harmless: the store reports it, and the next copy
    // follows.
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
