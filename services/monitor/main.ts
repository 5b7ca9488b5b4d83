// The monitor process. Exit codes: see infra/process/README.md. It may always be restarted, and a
// second one stands by.

import { runService } from '../../infra/process/index.ts';
import { startMonitor } from './app.ts';
import { monitorConfig } from './config.ts';

await runService({
  service: 'monitor',
  readConfig: monitorConfig,
  start: ({ config, log, fail }) =>
    startMonitor({ config, log, onFault: (reason, cause) => fail(reason, { cause }) }),
});
