// Log lines and metrics for a reconciler. Only this file knows both.

import { CHECK_NAMES, type CheckName } from '../../features/reconciliation/index.ts';
import { databaseTelemetry } from '../../infra/postgres/index.ts';
import type { Clock, Logger, Metrics } from '../../infra/process/index.ts';
import type { ReconcilerWatcher } from './reconciler.ts';

export function reconcilerTelemetry(
  log: Logger,
  metrics: Metrics,
  clock: Pick<Clock, 'nowMs'>,
): ReconcilerWatcher {
  const open = new Map<string, { readonly check: CheckName; readonly asset: string }>();
  const passedAt = new Map<CheckName, number>();
  const startedMs = clock.nowMs();
  metrics.gauge({
    name: 'rialto_reconciliation_pass_age_seconds',
    help: 'Since the last pass of a check over everything',
    labelNames: ['check'],
    collect() {
      for (const check of CHECK_NAMES) {
        this.set({ check }, (clock.nowMs() - (passedAt.get(check) ?? startedMs)) / 1_000);
      }
    },
  });
  metrics.gauge({
    name: 'rialto_reconciliation_differences',
    help: 'Open differences that this process found',
    labelNames: ['check', 'asset'],
    collect() {
      this.reset();
      for (const check of CHECK_NAMES) this.set({ check, asset: '' }, 0);
      for (const one of open.values()) this.inc({ ...one });
    },
  });
  const rows = metrics.counter({
    name: 'rialto_reconciliation_rows_total',
    help: 'Rows that were compared',
    labelNames: ['check'],
  });
  const later = metrics.counter({
    name: 'rialto_reconciliation_later_total',
    help: 'Steps that could not compare: the tables or the replica were behind',
    labelNames: ['check'],
  });
  return {
    compared(round, nowMs) {
      const { check, closed, isLater, opened, passMs, paused } = round;
      rows.inc({ check }, round.rows);
      if (isLater) later.inc({ check });
      if (passMs !== undefined) passedAt.set(check, nowMs);
      for (const one of opened) {
        open.set(`${check} ${one.object}`, { check, asset: one.asset ?? '' });
        log.error({ check, ...one }, 'money differs');
      }
      for (const object of closed) {
        open.delete(`${check} ${object}`);
        log.info({ check, object }, 'difference closed');
      }
      if (paused.length > 0) log.error({ check, assets: paused }, 'withdrawals paused');
    },
    ...databaseTelemetry(log, { metrics, name: 'rialto_reconciliation_database_away_total' }),
  };
}
