// What happens in an archivist, as log lines and metrics. The only place that knows both.

import type { Logger, Metrics } from '../../infra/process/index.ts';
import type { ArchivistWatcher } from './archivist.ts';

export function watchArchivist(log: Logger, metrics: Metrics): ArchivistWatcher {
  const archived = metrics.gauge({
    name: 'rialto_archivist_archived_sequence',
    help: 'The last frame that is in the archive',
  });
  const snapshot = metrics.gauge({
    name: 'rialto_archivist_snapshot_sequence',
    help: 'The last frame of the newest snapshot that counts',
  });
  const unsound = metrics.counter({
    name: 'rialto_archivist_unsound_snapshots_total',
    help: 'Snapshots that did not restore to the state they were taken of',
  });
  return {
    started: (sequence) => log.info({ sequence }, 'state restored'),
    archived(segment) {
      archived.set(segment.lastSequence);
      const { commands, file, lastSequence } = segment;
      log.info({ file, lastSequence, commands }, 'archived a segment');
    },
    stuck: (reason) => log.error({ reason }, 'the log has a hole'),
    snapshotTaken: (info, bytes) => log.info({ info, bytes }, 'took a snapshot'),
    snapshotCounts(info) {
      snapshot.set(info.sequence);
      log.info({ sequence: info.sequence }, 'snapshot verified');
    },
    snapshotUnsound(info) {
      unsound.inc();
      log.error({ info }, 'a snapshot does not restore to the state it was taken of');
    },
  };
}
