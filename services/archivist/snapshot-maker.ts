// Makes a snapshot count: writes it as a draft, reads it back from the store, restores it, finds
// the same state, waits until the EVENTS log holds all that it covers, and confirms it. One at a
// time. Whatever fails is tried again; a snapshot that does not restore is never confirmed.

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
  /** How many that count are kept. */
  readonly keep: number;
  /** It counts from now on. */
  onCounted(snapshot: Snapshot): void;
  /** What was read back is not what was written: the store, or the engine, is wrong. */
  onUnsound(snapshot: Snapshot): void;
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
      else this.#later(() => this.#write(snapshot));
    });
  }

  #readBack(snapshot: Snapshot): void {
    this.#options.snapshots.readDraft(snapshot.info.sequence, (answer) => {
      if (answer === 'unavailable') this.#later(() => this.#readBack(snapshot));
      else if (isSound(answer, snapshot)) this.#awaitEvents(snapshot);
      else {
        this.#options.onUnsound(snapshot);
        this.#later(() => this.#write(snapshot));
      }
    });
  }

  /** Whoever starts from a snapshot makes no events of earlier frames: they must be there. */
  #awaitEvents(snapshot: Snapshot): void {
    const { sequence } = snapshot.info;
    findEventsEnd(this.#options.events, (end) => {
      const isThere =
        end !== undefined &&
        end !== 'damaged' &&
        (end.sequence > sequence || (end.sequence === sequence && end.isComplete));
      if (isThere) this.#confirm(snapshot);
      else this.#later(() => this.#awaitEvents(snapshot));
    });
  }

  #confirm(snapshot: Snapshot): void {
    const { keep, onCounted, snapshots } = this.#options;
    snapshots.confirm(snapshot.info.sequence, (isDone) => {
      if (!isDone) {
        this.#later(() => this.#confirm(snapshot));
        return;
      }
      if (this.#isStopped) return;
      onCounted(snapshot);
      // What is kept too long is removed the next time.
      snapshots.prune(keep, () => {
        this.#isBusy = false;
      });
    });
  }

  #later(task: () => void): void {
    this.#options.clock.after(this.#options.retryMs, () => {
      if (!this.#isStopped) task();
    });
  }
}

/** It says of itself what was said of it when it was written, and restores to that state. */
function isSound(answer: SnapshotAnswer, written: Snapshot): boolean {
  if (typeof answer === 'string') return false;
  const names = Object.keys(written.info) as (keyof SnapshotInfo)[];
  if (names.some((name) => answer.info[name] !== written.info[name])) return false;
  try {
    return Replica.restore(answer).stateHash() === written.info.stateHash;
  } catch {
    // Whatever restoring throws, it is no state to start from.
    return false;
  }
}
