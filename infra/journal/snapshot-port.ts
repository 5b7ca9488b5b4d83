// The store of snapshots. A snapshot is a draft until it has been read back, restored and compared
// with the state; then it is verified. JetStream's object store, a folder and the simulator's
// memory implement it.

export interface SnapshotInfo {
  /** The last frame that it covers. */
  readonly sequence: number;
  readonly epoch: number;
  readonly timeMs: number;
  readonly commandsApplied: number;
  /**
   * SHA-256 of that frame's bytes in hexadecimal, which the next frame names as its previous hash.
   */
  readonly frameHash: string;
  /** The hash of the state by hashExchange. */
  readonly stateHash: string;
}

export interface Snapshot {
  readonly info: SnapshotInfo;
  readonly bytes: Uint8Array;
}

/** `unavailable`: the store cannot be reached or read now; retry. */
export type SnapshotAnswer = Snapshot | 'none' | 'unavailable';

export interface SnapshotStore {
  /** The newest verified snapshot that covers no frame after `atMost`. */
  newest(atMost: number, done: (answer: SnapshotAnswer) => void): void;
  /** Writes a draft. It replaces an unverified draft of the same sequence. */
  write(snapshot: Snapshot, done: (isDone: boolean) => void): void;
  /** Reads a draft from the store itself, never from a cache. */
  readDraft(sequence: number, done: (answer: SnapshotAnswer) => void): void;
  /** Marks the draft as verified. */
  confirm(sequence: number, done: (isDone: boolean) => void): void;
  /** Removes all but the newest `keep` verified snapshots, and drafts older than those. */
  prune(keep: number, done: (isDone: boolean) => void): void;
}
