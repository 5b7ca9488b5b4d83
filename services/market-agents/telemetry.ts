// Log lines and metrics for the market agents. Only this file knows both.

import type { Logger, Metrics } from '../../infra/process/index.ts';
import type { LiveMarketWatcher } from './live-market.ts';

const FAULTS_LOGGED_EVERY_MS = 10_000;

export function agentsTelemetry(log: Logger, metrics: Metrics): LiveMarketWatcher {
  const orders = metrics.counter({
    name: 'rialto_agents_orders_total',
    help: 'Orders sent by agents, by response',
    labelNames: ['outcome'],
  });
  const cancels = metrics.counter({
    name: 'rialto_agents_cancels_total',
    help: 'Cancels sent by agents',
  });
  const seconds = metrics.histogram({
    name: 'rialto_agents_order_seconds',
    help: 'Time from sending an order to its response',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
  });
  let loggedMs = 0;
  return {
    answered(outcome, tookMs) {
      orders.inc({ outcome });
      seconds.observe(tookMs / 1_000);
    },
    cancelled: () => cancels.inc(),
    began: (mode) => log.info({ mode }, 'agents started'),
    fault(err) {
      // A restarting exchange causes one fault per account.
      if (performance.now() - loggedMs < FAULTS_LOGGED_EVERY_MS && loggedMs > 0) return;
      loggedMs = performance.now();
      log.warn({ err }, 'agent connection failed');
    },
  };
}
