// Where snapshots are kept. A snapshot is a draft until somebody has read it back, restored it
// and found the same state; only then does it count. The object store of JetStream, a folder and
// a simulator's memory implement it.

export interface SnapshotInfo {
  /** The last frame that it covers. */
  readonly sequence: number;
  readonly epoch: number;
  readonly timeMs: number;
  readonly commandsApplied: number;
  /** SHA-256 of that frame's bytes, hexadecimal: what the next frame must name as its previous. */
  readonly frameHash: string;
  /** What hashExchange says of the state. */
  readonly stateHash: string;
}

export interface Snapshot {
  readonly info: SnapshotInfo;
  readonly bytes: Uint8Array;
}

/** `unavailable`: the store cannot be reached or read now; ask again. */
export type SnapshotAnswer = Snapshot | 'none' | 'unavailable';

export interface SnapshotStore {
  /** The newest one that counts and covers no frame after `atMost`. */
  newest(atMost: number, done: (answer: SnapshotAnswer) => void): void;
  /** Keeps a draft. One of the same sequence that does not count yet is replaced. */
  write(snapshot: Snapshot, done: (isDone: boolean) => void): void;
  /** A draft, from the store itself and not from any memory of it. */
  readDraft(sequence: number, done: (answer: SnapshotAnswer) => void): void;
  /** From now on the draft counts. */
  confirm(sequence: number, done: (isDone: boolean) => void): void;
  /** Removes all but the newest `keep` that count, and drafts older than those. */
  prune(keep: number, done: (isDone: boolean) => void): void;
}
