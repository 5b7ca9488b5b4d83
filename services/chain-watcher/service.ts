// The chain-watcher as a service, for its own process or a shared one.

import { defineService } from '../../infra/process/index.ts';
import { startChainWatcher } from './app.ts';
import { chainWatcherConfig } from './config.ts';

export const service = defineService({
  service: 'chain-watcher',
  readConfig: chainWatcherConfig,
  start: ({ config, log, fail }) =>
    startChainWatcher({ config, log, onFault: (reason, cause) => fail(reason, { cause }) }),
});
