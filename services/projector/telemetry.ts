// Log lines and metrics for the projector.

import { databaseTelemetry } from '../../infra/postgres/index.ts';
import type { Logger, Metrics } from '../../infra/process/index.ts';
import { completeFrame } from './cursor.ts';
import type { ProjectorWatcher } from './projector.ts';

const SLOW_BATCH_MS = 1_000;

export function watchProjector(log: Logger, metrics: Metrics): ProjectorWatcher {
  const frame = metrics.gauge({
    name: 'rialto_projector_frame',
    help: 'Last frame in the tables',
  });
  const events = metrics.counter({
    name: 'rialto_projector_events_total',
    help: 'Projected events',
  });
  const rows = metrics.counter({
    name: 'rialto_projector_rows_total',
    help: 'Written rows',
  });
  const seconds = metrics.histogram({
    name: 'rialto_projector_batch_seconds',
    help: 'Transaction duration',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
  });
  return {
    started(cursor) {
      frame.set(completeFrame(cursor));
      const { eventsSequence } = cursor;
      log.info({ frame: completeFrame(cursor), eventsSequence }, 'projection resumed');
    },
    written(written) {
      frame.set(completeFrame(written.cursor));
      events.inc(written.events);
      rows.inc(written.rows);
      seconds.observe(written.tookMs / 1_000);
      if (written.tookMs < SLOW_BATCH_MS) return;
      const { events: count, rows: rowCount, tookMs } = written;
      log.warn({ events: count, rows: rowCount, tookMs }, 'batch slow');
    },
    ...databaseTelemetry(log, { metrics, name: 'rialto_projector_database_away_total' }),
  };
}
