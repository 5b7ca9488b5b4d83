// Log lines and metrics of access. Neither holds a secret, a token, a signature or an address.

import type { Logger, Metrics } from '../process/index.ts';
import type { AccessWatcher } from './access.ts';

export function accessTelemetry(log: Logger, metrics: Metrics): AccessWatcher {
  const refusals = metrics.counter({
    name: 'rialto_access_refusals_total',
    help: 'Requests whose sender was not accepted, by reason',
    labelNames: ['refusal'],
  });
  const faults = metrics.counter({
    name: 'rialto_access_read_faults_total',
    help: 'Reads and writes of keys and sessions that failed',
  });
  return {
    refused: (refusal) => refusals.inc({ refusal }),
    readFailed(err) {
      faults.inc();
      log.warn({ err }, 'credential store failed');
    },
  };
}
