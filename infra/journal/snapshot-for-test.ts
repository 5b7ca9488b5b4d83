// Snapshots with all bytes available immediately, for tests and the simulator.

import {
  readChunks,
  readNewest,
  type Snapshot,
  type SnapshotInfo,
  type SnapshotStore,
} from './snapshot-port.ts';
import { snapshotFrom } from './snapshot-source.ts';

export interface WholeSnapshot {
  readonly info: SnapshotInfo;
  readonly bytes: Uint8Array;
}

/** In chunks of `chunkBytes`, each of which may be read only until the next is asked for. */
export function chunked({ info, bytes }: WholeSnapshot, chunkBytes = 700): Snapshot {
  function* chunks(): Generator<Uint8Array, void> {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      const chunk = bytes.slice(at, at + chunkBytes);
      yield chunk;
      chunk.fill(0xdd);
    }
  }
  return snapshotFrom(info, chunks);
}

class Collected {
  readonly info: SnapshotInfo;
  readonly #chunks: Uint8Array[] = [];

  constructor(info: SnapshotInfo) {
    this.info = info;
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(new Uint8Array(chunk));
  }

  whole(): WholeSnapshot {
    return { info: this.info, bytes: new Uint8Array(Buffer.concat(this.#chunks)) };
  }
}

/** All bytes of a snapshot whose chunks are answered immediately. */
export function wholeOf(snapshot: Snapshot): WholeSnapshot {
  const collected = new Collected(snapshot.info);
  let outcome = 'nothing';
  readChunks(snapshot, collected, (found) => {
    outcome = found;
  });
  if (outcome !== 'end') throw new Error(`the snapshot was read to ${outcome}, not to its end`);
  return collected.whole();
}

/** The newest snapshot of a store that is intact, with all its bytes. */
export function newestWhole(
  snapshots: Pick<SnapshotStore, 'newest'>,
  atMost = Number.MAX_SAFE_INTEGER,
): Promise<WholeSnapshot | 'none' | 'unavailable'> {
  return new Promise((resolve) => {
    const begin = (info: SnapshotInfo) => new Collected(info);
    readNewest({ snapshots, atMost, begin }, (answer) =>
      resolve(typeof answer === 'string' ? answer : answer.whole()),
    );
  });
}

/** The draft of a store, with all its bytes. */
export function draftWhole(
  snapshots: Pick<SnapshotStore, 'readDraft'>,
  sequence: number,
): Promise<WholeSnapshot | 'none' | 'damaged' | 'unavailable'> {
  return new Promise((resolve) => {
    snapshots.readDraft(sequence, (answer) => {
      if (typeof answer === 'string') {
        resolve(answer);
        return;
      }
      const collected = new Collected(answer.info);
      readChunks(answer, collected, (outcome) =>
        resolve(outcome === 'end' ? collected.whole() : outcome),
      );
    });
  });
}
