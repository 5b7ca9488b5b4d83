// The store of snapshots. A snapshot is a draft until it has been read back, restored and compared
// with the state; then it is verified. Its bytes are written and read in chunks, so its size
// has no limit. JetStream's object store, a folder and the simulator's memory implement it.

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
  /** If the state is still being read, request the hash after its last chunk. */
  readonly info: SnapshotInfo;
  /** Reads its chunks from the first one on. */
  chunks(): SnapshotChunks;
}

/**
 * `damaged`: the store has reported which chunk; an older snapshot must do. `unavailable`: the
 * chunk cannot be read now.
 */
export type ChunkAnswer = Uint8Array | 'end' | 'damaged' | 'unavailable';

export interface SnapshotChunks {
  /** Calls `done` once. The bytes are valid until the next call; after a text nothing follows. */
  next(done: (answer: ChunkAnswer) => void): void;
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

/** Receives the chunks of one snapshot. */
export interface ChunkReceiver {
  add(chunk: Uint8Array): void;
}

/** Reads all chunks of a snapshot. */
export function readChunks(
  snapshot: Snapshot,
  receiver: ChunkReceiver,
  done: (outcome: 'end' | 'damaged' | 'unavailable') => void,
): void {
  const chunks = snapshot.chunks();
  // Chunks that are answered immediately are read in a loop, not by recursion.
  let isAsking = false;
  let isAnswered = false;
  const ask = () => {
    do {
      isAnswered = false;
      isAsking = true;
      chunks.next(onAnswer);
      isAsking = false;
    } while (isAnswered);
  };
  const onAnswer = (answer: ChunkAnswer) => {
    if (typeof answer === 'string') {
      done(answer);
      return;
    }
    receiver.add(answer);
    if (isAsking) isAnswered = true;
    else ask();
  };
  ask();
}

export interface ReadNewestOptions<Receiver extends ChunkReceiver> {
  readonly snapshots: Pick<SnapshotStore, 'newest'>;
  readonly atMost: number;
  /** Called for each snapshot that is tried. */
  begin(info: SnapshotInfo): Receiver;
}

/** Reads the newest verified snapshot that is not damaged. */
export function readNewest<Receiver extends ChunkReceiver>(
  options: ReadNewestOptions<Receiver>,
  done: (answer: Receiver | 'none' | 'unavailable') => void,
): void {
  options.snapshots.newest(options.atMost, (answer) => {
    if (typeof answer === 'string') {
      done(answer);
      return;
    }
    const receiver = options.begin(answer.info);
    readChunks(answer, receiver, (outcome) => {
      if (outcome === 'end') done(receiver);
      else if (outcome === 'unavailable') done(outcome);
      else readNewest({ ...options, atMost: answer.info.sequence - 1 }, done);
    });
  });
}
