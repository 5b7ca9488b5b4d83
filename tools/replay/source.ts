// Source of a replay: an archive's frames and its snapshots.

import {
  openReplaySource,
  type ReplaySource,
  type Replica,
  startReplica,
} from '../../infra/replica/index.ts';

export interface SourceOptions {
  readonly folder: string;
  readonly usesSnapshots: boolean;
  /** Receives problems with unusable snapshots. */
  readonly onProblem: (problem: unknown) => void;
}

export async function openSource(options: SourceOptions): Promise<ReplaySource> {
  const { folder, usesSnapshots, onProblem } = options;
  const source = await openReplaySource(folder, onProblem);
  return usesSnapshots ? source : { ...source, snapshots: undefined };
}

/** Starts before the command was applied. */
export async function startBefore(source: ReplaySource, command: number): Promise<Replica> {
  const infos = (await source.snapshots?.list()) ?? [];
  const before = infos.findLast(({ commandsApplied }) => commandsApplied < command);
  return startReplica(source, before?.sequence ?? 0);
}
