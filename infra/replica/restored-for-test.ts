// Restores a replica from bytes in memory, for tests.

import { readChunks } from '../journal/index.ts';
import { chunked, type WholeSnapshot } from '../journal/snapshot-for-test.ts';
import { Replica } from './replica.ts';

export function restored(snapshot: WholeSnapshot, chunkBytes?: number): Replica {
  const restoration = Replica.restoration(snapshot.info);
  readChunks(chunked(snapshot, chunkBytes), restoration, () => {});
  return restoration.end();
}
