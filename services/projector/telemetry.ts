// What happens in a projector, as log lines and metrics. The only place that knows both.

import type { Logger, Metrics } from '../../infra/process/index.ts';
import { completeFrame } from './cursor.ts';
import type { ProjectorWatcher } from './projector.ts';

const SLOW_BATCH_MS = 1_000;

export function watchProjector(log: Logger, metrics: Metrics): ProjectorWatcher {
  const frame = metrics.gauge({
    name: 'rialto_projector_frame',
    help: 'The last frame that is in the tables',
  });
  const events = metrics.counter({
    name: 'rialto_projector_events_total',
    help: 'Events that were projected',
  });
  const rows = metrics.counter({
    name: 'rialto_projector_rows_total',
    help: 'Rows that were written',
  });
  const seconds = metrics.histogram({
    name: 'rialto_projector_batch_seconds',
    help: 'How long transactions took',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
  });
  const failures = metrics.counter({
    name: 'rialto_projector_database_away_total',
    help: 'How often PostgreSQL was found to be away',
  });
  return {
    started(cursor) {
      frame.set(completeFrame(cursor));
      const { eventsSequence } = cursor;
      log.info({ frame: completeFrame(cursor), eventsSequence }, 'has tables to go on from');
    },
    written(written) {
      frame.set(completeFrame(written.cursor));
      events.inc(written.events);
      rows.inc(written.rows);
      seconds.observe(written.tookMs / 1_000);
      if (written.tookMs < SLOW_BATCH_MS) return;
      const { events: count, rows: rowCount, tookMs } = written;
      log.warn({ events: count, rows: rowCount, tookMs }, 'a batch was slow');
    },
    databaseAway(err) {
      failures.inc();
      log.warn({ err }, 'PostgreSQL is away, it is tried again');
    },
    databaseBack: () => log.info('PostgreSQL is back'),
  };
}
