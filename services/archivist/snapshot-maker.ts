// Stores and verifies snapshots, one at a time: writes a draft, reads it back, restores it,
// compares the state, waits until the EVENTS log contains all covered frames, and confirms it. Each
// step is retried; a snapshot that does not restore to the same state is never confirmed.

import {
  findEventsEnd,
  type LogStream,
  type Snapshot,
  type SnapshotAnswer,
  type SnapshotInfo,
  type SnapshotStore,
} from '../../infra/journal/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import { Replica } from '../../infra/replica/index.ts';

export interface SnapshotMakerOptions {
  readonly events: LogStream;
  readonly snapshots: SnapshotStore;
  readonly clock: Clock;
  readonly retryMs: number;
  /** How many verified snapshots are kept. */
  readonly keep: number;
  /** The snapshot is confirmed. */
  onVerified(snapshot: Snapshot): void;
  /** The draft that was read back differs: the store or the engine is faulty. */
  onInvalid(snapshot: Snapshot): void;
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

  make(snapshot: Snapshot): void {
    this.#isBusy = true;
    this.#write(snapshot);
  }

  stop(): void {
    this.#isStopped = true;
  }

  #write(snapshot: Snapshot): void {
    this.#options.snapshots.write(snapshot, (isDone) => {
      if (isDone) this.#readBack(snapshot);
      else this.#retry(() => this.#write(snapshot));
    });
  }

  #readBack(snapshot: Snapshot): void {
    this.#options.snapshots.readDraft(snapshot.info.sequence, (answer) => {
      if (answer === 'unavailable') this.#retry(() => this.#readBack(snapshot));
      else if (isValid(answer, snapshot)) this.#awaitEvents(snapshot);
      else {
        this.#options.onInvalid(snapshot);
        this.#retry(() => this.#write(snapshot));
      }
    });
  }

  /** A replica that starts from a snapshot makes no earlier events, so the log must have them. */
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

/** The draft has the same description as the written snapshot, and restores to its state. */
function isValid(answer: SnapshotAnswer, written: Snapshot): boolean {
  if (typeof answer === 'string') return false;
  const names = Object.keys(written.info) as (keyof SnapshotInfo)[];
  if (names.some((name) => answer.info[name] !== written.info[name])) return false;
  try {
    return Replica.restore(answer).stateHash() === written.info.stateHash;
  } catch {
    // A snapshot that cannot be restored is invalid, whatever the error.
    return false;
  }
}
