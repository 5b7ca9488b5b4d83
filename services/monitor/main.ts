// Starts the monitor. Exit codes: see infra/process/README.md. It can be restarted at any time, and
// a second one is a standby.

import { runService } from '../../infra/process/index.ts';
import { startMonitor } from './app.ts';
import { monitorConfig } from './config.ts';

await runService({
  service: 'monitor',
  readConfig: monitorConfig,
  start: ({ config, log, fail }) =>
    startMonitor({ config, log, onFault: (reason, cause) => fail(reason, { cause }) }),
});
