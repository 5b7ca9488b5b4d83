// Snapshots in memory that outlive every process. Access is slow and sometimes unavailable, and a
// draft might be torn while it is written. Verified snapshots are never lost.

import { type DelayRange, drawMs } from '../../infra/journal/memory-log-path.ts';
import { chunked, type WholeSnapshot, wholeOf } from '../../infra/journal/snapshot-for-test.ts';
import type { Snapshot, SnapshotAnswer, SnapshotStore } from '../../infra/journal/snapshot-port.ts';
import type { Clock } from '../../infra/process/index.ts';

export type SnapshotFault =
  | 'snapshot_unavailable'
  /** The change is stored, but the answer reports a failure. */
  | 'snapshot_answer_lost'
  | 'snapshot_torn';

/** Settings that are read at each step. */
export interface SnapshotFaults {
  random: () => number;
  delayMs: DelayRange;
  /** From 0 to 1; unlisted faults never happen. */
  rates: Partial<Record<SnapshotFault, number>>;
  onFault: (fault: SnapshotFault) => void;
}

export class MemorySnapshots {
  readonly #clock: Clock;
  readonly #drafts = new Map<number, WholeSnapshot>();
  readonly #counted = new Map<number, WholeSnapshot>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  connect(clock: Clock, faults: SnapshotFaults): SnapshotStore {
    return new MemorySnapshotStore(this, clock, faults);
  }

  get clock(): Clock {
    return this.#clock;
  }

  /** Verified snapshots, oldest first. */
  counted(): WholeSnapshot[] {
    return [...this.#counted.values()].sort((a, b) => a.info.sequence - b.info.sequence);
  }

  newest(atMost: number): WholeSnapshot | undefined {
    return this.counted().findLast(({ info }) => info.sequence <= atMost);
  }

  write(snapshot: WholeSnapshot): void {
    const { sequence } = snapshot.info;
    if (!this.#counted.has(sequence)) this.#drafts.set(sequence, snapshot);
  }

  draft(sequence: number): WholeSnapshot | undefined {
    return this.#drafts.get(sequence) ?? this.#counted.get(sequence);
  }

  confirm(sequence: number): boolean {
    const draft = this.#drafts.get(sequence);
    if (draft !== undefined) this.#counted.set(sequence, draft);
    this.#drafts.delete(sequence);
    return this.#counted.has(sequence);
  }

  prune(keep: number): void {
    const sequences = this.counted().map(({ info }) => info.sequence);
    const oldest = sequences.at(-keep) ?? sequences[0] ?? 0;
    for (const sequences of [this.#counted, this.#drafts]) {
      for (const sequence of sequences.keys()) {
        if (sequence < oldest) sequences.delete(sequence);
      }
    }
  }
}

/** A process's connection to the snapshots. Its callbacks run on the process's clock. */
class MemorySnapshotStore implements SnapshotStore {
  readonly #snapshots: MemorySnapshots;
  readonly #clock: Clock;
  readonly #faults: SnapshotFaults;

  constructor(snapshots: MemorySnapshots, clock: Clock, faults: SnapshotFaults) {
    this.#snapshots = snapshots;
    this.#clock = clock;
    this.#faults = faults;
  }

  newest(atMost: number, done: (answer: SnapshotAnswer) => void): void {
    this.#look(() => this.#snapshots.newest(atMost), done);
  }

  write(snapshot: Snapshot, done: (isDone: boolean) => void): void {
    const { bytes } = wholeOf(snapshot);
    if (this.#happens('snapshot_torn')) bytes.fill(0, Math.floor(bytes.length / 2));
    this.#change(() => {
      this.#snapshots.write({ info: snapshot.info, bytes });
      return true;
    }, done);
  }

  readDraft(sequence: number, done: (answer: SnapshotAnswer) => void): void {
    this.#look(() => this.#snapshots.draft(sequence), done);
  }

  confirm(sequence: number, done: (isDone: boolean) => void): void {
    this.#change(() => this.#snapshots.confirm(sequence), done);
  }

  prune(keep: number, done: (isDone: boolean) => void): void {
    this.#change(() => {
      this.#snapshots.prune(keep);
      return true;
    }, done);
  }

  #look(look: () => WholeSnapshot | undefined, done: (answer: SnapshotAnswer) => void): void {
    const isUnavailable = this.#happens('snapshot_unavailable');
    this.#travel(() => {
      const found = isUnavailable ? undefined : look();
      const copy = found && chunked(found);
      this.#travel(() => {
        this.#clock.soon(() => done(isUnavailable ? 'unavailable' : (copy ?? 'none')));
      });
    });
  }

  #change(change: () => boolean, done: (isDone: boolean) => void): void {
    const isUnavailable = this.#happens('snapshot_unavailable');
    this.#travel(() => {
      const isChanged = !isUnavailable && change();
      const isDone = isChanged && !this.#happens('snapshot_answer_lost');
      this.#travel(() => void this.#clock.soon(() => done(isDone)));
    });
  }

  /** Runs on the store's clock: a request is executed even if its sender has crashed. */
  #travel(arrive: () => void): void {
    this.#snapshots.clock.after(drawMs(this.#faults.random, this.#faults.delayMs), arrive);
  }

  #happens(fault: SnapshotFault): boolean {
    const rate = this.#faults.rates[fault] ?? 0;
    if (rate <= 0 || this.#faults.random() >= rate) return false;
    this.#faults.onFault(fault);
    return true;
  }
}
