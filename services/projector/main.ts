// A projector process. Ends with 0 when asked, with 75 when somebody else projects into its schema,
// and with 70 when it can not go on; it may always be started again.

import { createLogger, stopOnSignals } from '../../infra/process/index.ts';
import { type ProjectorApp, startProjector } from './app.ts';
import { projectorConfig } from './config.ts';
import { CursorMoved } from './cursor.ts';

const EXIT_FAULT = 70;
const EXIT_OTHER_PROJECTS = 75;

const config = projectorConfig(process.env);
const log = createLogger({
  service: 'projector',
  instance: config.instance,
  level: config.logLevel,
});
let app: ProjectorApp | undefined;

stopOnSignals({ log, limitMs: config.stopLimitMs, stop: async () => app?.stop() });

app = await startProjector({
  config,
  log,
  onFault(reason, cause) {
    log.fatal({ err: cause }, reason);
    process.exit(cause instanceof CursorMoved ? EXIT_OTHER_PROJECTS : EXIT_FAULT);
  },
});
log.info({ healthPort: app.healthPort }, 'started');
