// Log lines and metrics for a notifier. Only this file knows both. A line must never contain an
// address.

import { databaseTelemetry } from '../../infra/postgres/index.ts';
import type { Logger, Metrics } from '../../infra/process/index.ts';
import type { JobWatcher } from './job-runner.ts';
import type { MailWatcher } from './mail-sender.ts';

export function mailTelemetry(log: Logger, metrics: Metrics): MailWatcher {
  const ended = metrics.counter({
    name: 'rialto_mails_total',
    help: 'Attempts to send an email, by result; lost: two notifiers were killed while sending it',
    labelNames: ['end'],
  });
  const seconds = metrics.histogram({
    name: 'rialto_mail_seconds',
    help: 'Time from the cause of an email to its acceptance by the mail server',
    buckets: [0.5, 1, 2, 5, 10, 30, 60, 300, 3_600, 86_400],
  });
  const waiting = metrics.gauge({
    name: 'rialto_mails_waiting',
    help: 'Unsent emails',
  });
  const oldest = metrics.gauge({
    name: 'rialto_mails_oldest_seconds',
    help: 'Age of the oldest unsent email',
  });
  return {
    sent({ attempts, id, kind }, waitedMs) {
      ended.inc({ end: 'sent' });
      seconds.observe(Math.max(0, waitedMs) / 1_000);
      log.info({ mail: id, kind, attempts }, 'mail sent');
    },
    deferred({ attempts, id, kind }, error) {
      ended.inc({ end: 'deferred' });
      log.warn({ mail: id, kind, attempts, error }, 'mail deferred');
    },
    failed({ attempts, id, kind }, error) {
      ended.inc({ end: 'failed' });
      log.error({ mail: id, kind, attempts, error }, 'mail failed');
    },
    expired(count) {
      ended.inc({ end: 'expired' }, count);
      log.warn({ count }, 'mails expired');
    },
    lost(count) {
      ended.inc({ end: 'lost' }, count);
      log.error({ count }, 'mails lost');
    },
    backlog(backlog) {
      waiting.set(backlog.waiting);
      oldest.set(backlog.oldestMs / 1_000);
    },
    ...databaseTelemetry(log),
  };
}

export function jobTelemetry(log: Logger, metrics: Metrics): JobWatcher {
  const runs = metrics.counter({
    name: 'rialto_job_runs_total',
    help: 'Scheduled job runs, by result',
    labelNames: ['job', 'end'],
  });
  const rows = metrics.counter({
    name: 'rialto_job_rows_total',
    help: 'Rows changed or removed by scheduled jobs',
    labelNames: ['job'],
  });
  return {
    done(job, count, tookMs) {
      runs.inc({ job, end: 'done' });
      rows.inc({ job }, count);
      log.info({ job, count, tookMs: Math.round(tookMs) }, 'job done');
    },
    failed(job, err) {
      runs.inc({ job, end: 'failed' });
      log.error({ job, err }, 'job failed');
    },
    databaseDown: (err) => log.warn({ reason: 'database unavailable', err }, 'jobs paused'),
    databaseUp: () => log.info('jobs resumed'),
  };
}
