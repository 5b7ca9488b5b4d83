// The source of a replay: the frames of an archive and the snapshots beside them. It starts
// replicas and applies frames; it only reads, and checks that each frame continues the last.

import { join } from 'node:path';
import {
  type Archive,
  ArchiveFault,
  FolderSnapshots,
  hashFrame,
  openArchive,
  type SnapshotAnswer,
  type SnapshotInfo,
} from '../../infra/journal/index.ts';
import { type Applied, Replica } from '../../infra/replica/index.ts';

export interface Source {
  readonly archive: Archive;
  /** Undefined if every replay starts with the first frame. */
  readonly snapshots: FolderSnapshots | undefined;
}

export interface SourceOptions {
  readonly folder: string;
  readonly usesSnapshots: boolean;
  /** Receives problems of snapshots that cannot be used. */
  readonly onProblem: (problem: unknown) => void;
}

export async function openSource(options: SourceOptions): Promise<Source> {
  const { folder, usesSnapshots, onProblem } = options;
  const archive = await openArchive(folder, 'read');
  const snapshots = new FolderSnapshots(join(folder, 'snapshots'), onProblem);
  return { archive, snapshots: usesSnapshots ? snapshots : undefined };
}

/** Starts from the newest snapshot up to frame `atMost`, or from the empty exchange. */
export async function startReplica(source: Source, atMost: number): Promise<Replica> {
  const { snapshots } = source;
  if (snapshots === undefined) return Replica.create();
  const answer = await new Promise<SnapshotAnswer>((done) => snapshots.newest(atMost, done));
  if (answer === 'unavailable') throw new Error('the snapshots cannot be read');
  if (answer === 'none') return Replica.create();
  refuseForeign(source.archive, answer.info);
  return Replica.restore(answer);
}

/** Starts before the command was applied. */
export async function startBefore(source: Source, command: number): Promise<Replica> {
  const infos = (await source.snapshots?.list()) ?? [];
  const before = infos.findLast(({ commandsApplied }) => commandsApplied < command);
  return startReplica(source, before?.sequence ?? 0);
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
