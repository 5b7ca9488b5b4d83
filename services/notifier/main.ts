// The notifier process. Exit codes: see infra/process/README.md. It may always be restarted, and
// several may run.

import { runService } from '../../infra/process/index.ts';
import { startNotifier } from './app.ts';
import { notifierConfig } from './config.ts';

await runService({
  service: 'notifier',
  readConfig: notifierConfig,
  start: ({ config, log, fail }) =>
    startNotifier({ config, log, onFault: (reason, cause) => fail(reason, { cause }) }),
});
