// The monitor as a service, for its own process or a shared one.

import { defineService } from '../../infra/process/index.ts';
import { startMonitor } from './app.ts';
import { monitorConfig } from './config.ts';

export const service = defineService({
  service: 'monitor',
  readConfig: monitorConfig,
  start: ({ config, log, fail }) =>
    startMonitor({ config, log, onFault: (reason, cause) => fail(reason, { cause }) }),
});
