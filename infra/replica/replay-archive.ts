// Replicas from an archive: its frames and the snapshots next to them, without a log. Only reads,
// and checks that each frame continues the last.

import { join } from 'node:path';
import {
  type Archive,
  ArchiveFault,
  FolderSnapshots,
  hashFrame,
  openArchive,
  readNewest,
  type SnapshotInfo,
} from '../journal/index.ts';
import { type Applied, Replica, type ReplicaRestoration } from './replica.ts';

export interface ReplaySource {
  readonly archive: Archive;
  /** Undefined if every replay starts with the first frame. */
  readonly snapshots: FolderSnapshots | undefined;
}

/** The archive of a folder, with the snapshots next to its segments. */
export async function openReplaySource(
  folder: string,
  onProblem: (problem: unknown) => void,
): Promise<Required<ReplaySource>> {
  const archive = await openArchive(folder, 'read');
  return { archive, snapshots: new FolderSnapshots(join(folder, 'snapshots'), onProblem) };
}

/** Opens the archive of a folder when it is needed; undefined without a folder. */
export function sourceOpener(
  folder: string | undefined,
  onProblem: (problem: unknown) => void,
): (() => Promise<ReplaySource>) | undefined {
  return folder === undefined ? undefined : () => openReplaySource(folder, onProblem);
}

/** Starts from the newest snapshot up to frame `atMost`, or from the empty exchange. */
export async function startReplica(source: ReplaySource, atMost: number): Promise<Replica> {
  const { snapshots } = source;
  if (snapshots === undefined) return Replica.create();
  const answer = await new Promise<ReplicaRestoration | 'none' | 'unavailable'>((done) =>
    readNewest({ snapshots, atMost, begin: Replica.restoration }, done),
  );
  if (answer === 'unavailable') throw new Error('the snapshots cannot be read');
  if (answer === 'none') return Replica.create();
  refuseForeign(source.archive, answer.info);
  return answer.end();
}

/** Applies frames up to `to`, and yields the result of each. */
export async function* replay(
  archive: Archive,
  replica: Replica,
  to: number,
): AsyncGenerator<Applied, void> {
  for await (const frame of archive.readFrames(replica.sequence + 1, to)) {
    yield replica.follow({ frame, frameHash: hashFrame(frame) });
  }
}

export async function replayTo(archive: Archive, replica: Replica, to: number): Promise<void> {
  for await (const _ of replay(archive, replica, to));
}

/** Inside a segment the next frame says whether it continues the snapshot; here nothing follows. */
function refuseForeign(archive: Archive, { sequence, frameHash }: SnapshotInfo): void {
  const segment = archive.findSequence(sequence);
  if (segment?.lastSequence !== sequence || segment.lastFrameHash === frameHash) return;
  const detail = `snapshot ${sequence} is of another log; --from-genesis does without it`;
  throw new ArchiveFault('not_continuing', detail, { sequence });
}
