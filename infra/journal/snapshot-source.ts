// Snapshots as a store receives them: chunk after chunk, or from bytes that are there immediately.

import type { ChunkAnswer, Snapshot, SnapshotInfo } from './snapshot-port.ts';

/** Throws if the snapshot cannot be read to its end. */
export async function* chunksOf(snapshot: Snapshot): AsyncGenerator<Uint8Array> {
  const chunks = snapshot.chunks();
  for (;;) {
    const answer = await new Promise<ChunkAnswer>((done) => chunks.next(done));
    if (answer === 'end') return;
    if (typeof answer === 'string') {
      throw new Error(`snapshot ${snapshot.info.sequence} cannot be copied: a chunk is ${answer}`);
    }
    yield answer;
  }
}

/** A snapshot whose chunks are made when they are read; `next` is undefined after the last. */
export function snapshotFrom(
  info: SnapshotInfo,
  chunks: () => Iterator<Uint8Array, unknown>,
): Snapshot {
  return {
    info,
    chunks() {
      const iterator = chunks();
      return {
        next(done) {
          const { done: isEnd, value } = iterator.next();
          done(isEnd === true ? 'end' : (value as Uint8Array));
        },
      };
    },
  };
}
