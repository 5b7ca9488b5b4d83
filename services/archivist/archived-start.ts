// State from which an archivist starts: the newest snapshot that the archive covers and the log
// continues. Without one it replays the archive, because the log might be trimmed to the archive's
// end.

import type {
  Extent,
  LogStream,
  SnapshotAnswer,
  SnapshotStore,
} from '../../infra/journal/index.ts';
import { type ReplaySource, replayTo, startReplica } from '../../infra/replica/index.ts';

export interface ArchivedStartOptions {
  readonly commands: Pick<LogStream, 'extent'>;
  readonly snapshots: Pick<SnapshotStore, 'newest'>;
  readonly source: ReplaySource;
  onFault(reason: string, cause: unknown): void;
}

export function archivedStart(options: ArchivedStartOptions): Pick<SnapshotStore, 'newest'> {
  return { newest };

  function newest(atMost: number, done: (answer: SnapshotAnswer) => void): void {
    options.snapshots.newest(atMost, (answer) => {
      if (answer === 'unavailable') done(answer);
      else options.commands.extent((extent) => choose(answer, extent));
    });

    function choose(answer: Exclude<SnapshotAnswer, 'unavailable'>, extent?: Extent): void {
      const { end } = options.source.archive;
      const start = answer === 'none' ? 0 : answer.info.sequence;
      if (extent === undefined) done('unavailable');
      else if (extent.first <= start + 1 || end.sequence <= start) done(answer);
      else {
        const onFault = (cause: unknown) =>
          options.onFault('the archive cannot be replayed', cause);
        fromArchive().then(done, onFault);
      }
    }
  }

  async function fromArchive(): Promise<SnapshotAnswer> {
    const { archive } = options.source;
    const replica = await startReplica(options.source, archive.end.sequence);
    await replayTo(archive, replica, archive.end.sequence);
    return replica.snapshot();
  }
}
