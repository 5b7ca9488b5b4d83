// A worker process. Ends with 0 when asked and with 70 when it can not go on; it may always be
// started again.

import { createLog, stopOnSignals } from '../../infra/process/index.ts';
import { startWorker, type WorkerApp } from './app.ts';
import { workerConfig } from './config.ts';

const EXIT_FAULT = 70;

const config = workerConfig(process.env);
const log = createLog({ service: 'worker', instance: config.instance, level: config.logLevel });
let app: WorkerApp | undefined;

stopOnSignals({ log, limitMs: config.stopLimitMs, stop: async () => app?.stop() });

app = await startWorker({
  config,
  log,
  onFault(reason, cause) {
    log.fatal({ err: cause }, reason);
    process.exit(EXIT_FAULT);
  },
});
log.info({ healthPort: app.healthPort }, 'started');
