// What happens in access, as log lines and metrics. Neither holds a secret, a token, a signature
// or an address: a count of refusals says enough.

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
      log.warn({ err }, 'keys and sessions can not be read or written; what is known stays');
    },
  };
}
