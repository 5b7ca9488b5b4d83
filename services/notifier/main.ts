// Starts the notifier. Exit codes: see infra/process/README.md. It can be restarted at any time,
// and several can run.

import { runService } from '../../infra/process/index.ts';
import { startNotifier } from './app.ts';
import { notifierConfig } from './config.ts';

await runService({
  service: 'notifier',
  readConfig: notifierConfig,
  start: ({ config, log, fail }) =>
    startNotifier({ config, log, onFault: (reason, cause) => fail(reason, { cause }) }),
});
