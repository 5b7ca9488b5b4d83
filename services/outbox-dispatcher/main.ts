// Starts the outbox dispatcher. Exit codes: see infra/process/README.md. It can be restarted at any
// time.

import { runService } from '../../infra/process/index.ts';
import { startDispatcher } from './app.ts';
import { dispatcherConfig } from './config.ts';

await runService({
  service: 'outbox-dispatcher',
  readConfig: dispatcherConfig,
  start: ({ config, log, fail }) =>
    startDispatcher({ config, log, onFault: (reason, cause) => fail(reason, { cause }) }),
});
