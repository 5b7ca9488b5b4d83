// Log lines and metrics of the archivist.

import type { Logger, Metrics } from '../../infra/process/index.ts';
import type { ArchivistWatcher } from './archivist.ts';

export function watchArchivist(log: Logger, metrics: Metrics): ArchivistWatcher {
  const archived = metrics.gauge({
    name: 'rialto_archivist_archived_sequence',
    help: 'The last archived frame',
  });
  const snapshot = metrics.gauge({
    name: 'rialto_archivist_snapshot_sequence',
    help: 'The last frame of the newest verified snapshot',
  });
  const invalid = metrics.counter({
    name: 'rialto_archivist_unsound_snapshots_total',
    help: 'Snapshots that did not restore to the same state',
  });
  return {
    started: (sequence) => log.info({ sequence }, 'state restored'),
    archived(segment) {
      archived.set(segment.lastSequence);
      const { commands, file, lastSequence } = segment;
      log.info({ file, lastSequence, commands }, 'segment archived');
    },
    stalled: (reason) => log.error({ reason }, 'log stalled'),
    snapshotTaken: (info, bytes) => log.info({ info, bytes }, 'snapshot taken'),
    snapshotVerified(info) {
      snapshot.set(info.sequence);
      log.info({ sequence: info.sequence }, 'snapshot verified');
    },
    snapshotInvalid(info) {
      invalid.inc();
      log.error({ info }, 'snapshot invalid');
    },
  };
}
