// Log lines and metrics for the archivist.

import type { Logger, Metrics } from '../../infra/process/index.ts';
import type { ArchivistWatcher } from './archivist.ts';
import type { TrimmedLog, TrimWatcher } from './trimmer.ts';

export function watchArchivist(log: Logger, metrics: Metrics): ArchivistWatcher {
  const archived = metrics.gauge({
    name: 'rialto_archivist_archived_sequence',
    help: 'Last archived frame',
  });
  const snapshot = metrics.gauge({
    name: 'rialto_archivist_snapshot_sequence',
    help: 'Last frame of the newest verified snapshot',
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
    snapshotTaken: (sequence) => log.info({ sequence }, 'snapshot taken'),
    snapshotFailed: (info) => log.warn({ info }, 'snapshot not stored'),
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

export function watchTrimmer(log: Logger, metrics: Metrics): TrimWatcher {
  const copied = metrics.gauge({
    name: 'rialto_archivist_copied_sequence',
    help: 'Last frame in both archive copies',
  });
  const trimmed = metrics.gauge({
    name: 'rialto_archivist_trimmed_sequence',
    help: 'Last frame that the log no longer contains',
    labelNames: ['log'] as const,
  });
  const failed = metrics.counter({
    name: 'rialto_archivist_failed_trims_total',
    help: 'Rounds that could not trim the log',
  });
  const heldBy = new Map<TrimmedLog, string>();
  return {
    copied(frame) {
      copied.set(frame);
      log.info({ frame }, 'segments copied');
    },
    trimmed(which, frame, first) {
      trimmed.set({ log: which }, frame);
      log.info({ log: which, frame, first }, 'log trimmed');
    },
    trimFailed(err) {
      failed.inc();
      log.error({ err }, 'log not trimmed');
    },
    held(which, by) {
      if (heldBy.get(which) === by) return;
      heldBy.set(which, by);
      log.info({ log: which, by }, 'log kept');
    },
  };
}
