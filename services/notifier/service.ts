// The notifier as a service, for its own process or a shared one.

import { defineService } from '../../infra/process/index.ts';
import { startNotifier } from './app.ts';
import { notifierConfig } from './config.ts';

export const service = defineService({
  service: 'notifier',
  readConfig: notifierConfig,
  start: ({ config, log, fail }) =>
    startNotifier({ config, log, onFault: (reason, cause) => fail(reason, { cause }) }),
});
