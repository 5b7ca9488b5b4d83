// A publisher process. Ends with 0 when asked and with 70 when it can not go on; it may always be
// started again.

import { createLogger, stopOnSignals } from '../../infra/process/index.ts';
import { type PublisherApp, startPublisher } from './app.ts';
import { publisherConfig } from './config.ts';

const EXIT_FAULT = 70;

const config = publisherConfig(process.env);
const log = createLogger({
  service: 'publisher',
  instance: config.instance,
  level: config.logLevel,
});
let app: PublisherApp | undefined;

stopOnSignals({ log, limitMs: config.stopLimitMs, stop: async () => app?.stop() });

app = await startPublisher({
  config,
  log,
  onFault(reason, cause) {
    log.fatal({ err: cause }, reason);
    process.exit(EXIT_FAULT);
  },
});
log.info({ healthPort: app.healthPort }, 'started');
