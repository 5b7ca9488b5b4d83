// Log lines and metrics for a monitor. Only this file knows both.

import type { AlarmEpisode } from '../../features/health/index.ts';
import { type DatabaseWatcher, databaseTelemetry } from '../../infra/postgres/index.ts';
import type { Logger, Metrics } from '../../infra/process/index.ts';
import type { MonitorWatcher } from './monitor.ts';

export function monitorTelemetry(log: Logger, metrics: Metrics): MonitorWatcher & DatabaseWatcher {
  let open: readonly AlarmEpisode[] = [];
  metrics.gauge({
    name: 'rialto_alarms_open',
    help: 'Open alarms, by name and severity',
    labelNames: ['name', 'severity'],
    collect() {
      this.reset();
      for (const { name, severity } of open) this.inc({ name, severity });
    },
  });
  const reports = metrics.counter({
    name: 'rialto_health_reports_total',
    help: 'Reports published by this monitor',
  });
  const keyOf = ({ name, object }: AlarmEpisode) => `${name} ${object}`;
  return {
    changed(now) {
      const before = new Set(open.map(keyOf));
      const after = new Set(now.map(keyOf));
      for (const one of now) {
        const { detail, name: alarm, object, severity } = one;
        if (!before.has(keyOf(one))) log.error({ alarm, object, severity, detail }, 'alarm opened');
      }
      for (const one of open) {
        if (!after.has(keyOf(one)))
          log.info({ alarm: one.name, object: one.object }, 'alarm closed');
      }
      open = now;
    },
    published: () => reports.inc(),
    ...databaseTelemetry(log, { metrics, name: 'rialto_monitor_database_away_total' }),
  };
}
