// Starts the chain watcher. Exit codes: see infra/process/README.md. It can be restarted at any
// time.

import { runService } from '../../infra/process/index.ts';
import { startChainWatcher } from './app.ts';
import { chainWatcherConfig } from './config.ts';

await runService({
  service: 'chain-watcher',
  readConfig: chainWatcherConfig,
  start: ({ config, log, fail }) =>
    startChainWatcher({ config, log, onFault: (reason, cause) => fail(reason, { cause }) }),
});
