// Stores and verifies snapshots, one at a time: writes a draft, reads it back, restores it,
// compares the state, waits until the EVENTS log contains all covered frames, and confirms it.
// Drops a draft that cannot be written or does not restore to the same state; retries later steps.

import {
  findEventsEnd,
  type LogStream,
  readChunks,
  type Snapshot,
  type SnapshotInfo,
  type SnapshotStore,
} from '../../infra/journal/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import { Replica, type ReplicaRestoration } from '../../infra/replica/index.ts';

export interface SnapshotMakerOptions {
  readonly events: LogStream;
  readonly snapshots: SnapshotStore;
  readonly clock: Clock;
  readonly retryMs: number;
  /** Number of verified snapshots to keep. */
  readonly keep: number;
  /**
   * Called when the draft is written, or with undefined if it is dropped. After that, the state it
   * was read from can change again.
   */
  onReleased(written: SnapshotInfo | undefined): void;
  /** Called when the snapshot is confirmed, as read from the store. */
  onVerified(snapshot: Snapshot): void;
  /** Called when the draft could not be written. */
  onFailed(info: SnapshotInfo): void;
  /** Called when the draft differs after reading it back: the store or the engine is faulty. */
  onInvalid(info: SnapshotInfo): void;
}

export class SnapshotMaker {
  readonly #options: SnapshotMakerOptions;
  #isBusy = false;
  #isStopped = false;

  constructor(options: SnapshotMakerOptions) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** The state behind the snapshot must not change before `onReleased`. */
  make(snapshot: Snapshot): void {
    const { info } = snapshot;
    this.#isBusy = true;
    this.#options.snapshots.write(snapshot, (isDone) => {
      if (this.#isStopped) return;
      this.#options.onReleased(isDone ? info : undefined);
      if (isDone) this.#readBack(info);
      else this.#giveUp(() => this.#options.onFailed(info));
    });
  }

  stop(): void {
    this.#isStopped = true;
  }

  #readBack(info: SnapshotInfo): void {
    this.#options.snapshots.readDraft(info.sequence, (draft) => {
      if (draft === 'unavailable') this.#retry(() => this.#readBack(info));
      else if (draft === 'none' || !isSame(draft.info, info)) this.#invalid(info);
      else this.#restore(draft);
    });
  }

  #restore(draft: Snapshot): void {
    const restoration = Replica.restoration(draft.info);
    readChunks(draft, restoration, (outcome) => {
      if (outcome === 'unavailable') this.#retry(() => this.#readBack(draft.info));
      else if (outcome === 'end' && isValid(restoration)) this.#awaitEvents(draft);
      else this.#invalid(draft.info);
    });
  }

  #invalid(info: SnapshotInfo): void {
    if (!this.#isStopped) this.#giveUp(() => this.#options.onInvalid(info));
  }

  #giveUp(report: () => void): void {
    this.#isBusy = false;
    report();
  }

  /** A replica that starts from a snapshot emits no earlier events, so the log must have them. */
  #awaitEvents(snapshot: Snapshot): void {
    const { sequence } = snapshot.info;
    findEventsEnd(this.#options.events, (end) => {
      const isCovered =
        end !== undefined &&
        end !== 'damaged' &&
        (end.sequence > sequence || (end.sequence === sequence && end.isComplete));
      if (isCovered) this.#confirm(snapshot);
      else this.#retry(() => this.#awaitEvents(snapshot));
    });
  }

  #confirm(snapshot: Snapshot): void {
    const { keep, onVerified, snapshots } = this.#options;
    snapshots.confirm(snapshot.info.sequence, (isDone) => {
      if (!isDone) {
        this.#retry(() => this.#confirm(snapshot));
        return;
      }
      if (this.#isStopped) return;
      onVerified(snapshot);
      // A failed pruning is repeated with the next snapshot.
      snapshots.prune(keep, () => {
        this.#isBusy = false;
      });
    });
  }

  #retry(task: () => void): void {
    this.#options.clock.after(this.#options.retryMs, () => {
      if (!this.#isStopped) task();
    });
  }
}

function isSame(found: SnapshotInfo, written: SnapshotInfo): boolean {
  const names = Object.keys(written) as (keyof SnapshotInfo)[];
  return names.every((name) => found[name] === written[name]);
}

/** Returns true if it restores to the state that was written. */
function isValid(restoration: ReplicaRestoration): boolean {
  try {
    return restoration.end().stateHash() === restoration.info.stateHash;
  } catch {
    // A snapshot that cannot be restored is invalid, regardless of the error.
    return false;
  }
}
