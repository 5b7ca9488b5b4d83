// The outbox-dispatcher as a service, for its own process or a shared one.

import { defineService } from '../../infra/process/index.ts';
import { startDispatcher } from './app.ts';
import { dispatcherConfig } from './config.ts';

export const service = defineService({
  service: 'outbox-dispatcher',
  readConfig: dispatcherConfig,
  start: ({ config, log, fail }) =>
    startDispatcher({ config, log, onFault: (reason, cause) => fail(reason, { cause }) }),
});
