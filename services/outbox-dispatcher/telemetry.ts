// What happens in a dispatcher, as log lines and metrics. The only place that knows both.

import type { Logger, Metrics } from '../../infra/process/index.ts';
import type { DispatcherWatcher } from './outbox-dispatcher.ts';

/** An operator is expected to meet these; every other reason is a bug. */
const EXPECTED = new Set(['channel_is_frozen', 'channel_must_exist']);

export function dispatcherTelemetry(log: Logger, metrics: Metrics): DispatcherWatcher {
  const sends = metrics.gauge({
    name: 'rialto_outbox_sends',
    help: '1 for the dispatcher that sends, 0 for one that stands by',
  });
  const settled = metrics.counter({
    name: 'rialto_outbox_settled_total',
    help: 'Positions of the outbox whose outcome was written down',
    labelNames: ['state'],
  });
  const seconds = metrics.histogram({
    name: 'rialto_outbox_round_seconds',
    help: 'From reading what waits to the commit of its outcomes',
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
  });
  const lookedUp = metrics.counter({
    name: 'rialto_outbox_looked_up_total',
    help: 'Positions whose outcome was read from the log',
  });
  const heldUp = metrics.counter({
    name: 'rialto_outbox_held_up_total',
    help: 'How often a channel could not go on',
    labelNames: ['reason'],
  });
  const failures = metrics.counter({
    name: 'rialto_outbox_database_away_total',
    help: 'How often PostgreSQL was found to be away',
  });
  return {
    standsBy() {
      sends.set(0);
      log.info('another dispatcher sends, this one stands by');
    },
    sends() {
      sends.set(1);
      log.info('sends the outbox');
    },
    settled(all, tookMs) {
      for (const { outcome } of all) settled.inc({ state: outcome.state });
      seconds.observe(tookMs / 1_000);
      for (const { row, outcome } of all) {
        const { command } = row;
        const isEnd = command.kind === 'CompleteWithdrawal' || command.kind === 'CancelWithdrawal';
        if (isEnd && outcome.state === 'refused') {
          log.error({ command, outcome }, 'the engine refused the end of a withdrawal');
        }
      }
    },
    lookedUp(count) {
      lookedUp.inc(count);
      log.info({ count }, 'reads from the log what came of positions that were sent before');
    },
    heldUp(one) {
      heldUp.inc({ reason: one.reason });
      if (EXPECTED.has(one.reason)) log.warn(one, 'a channel can not go on');
      else log.error(one, 'a channel can not go on, and this must not happen');
    },
    databaseAway(err) {
      failures.inc();
      sends.set(0);
      log.warn({ err }, 'PostgreSQL is away, it is tried again');
    },
    databaseBack: () => log.info('PostgreSQL is back'),
  };
}
