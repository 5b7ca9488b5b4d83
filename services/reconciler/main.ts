// Starts the reconciler. Exit codes: see infra/process/README.md. It can be restarted at any time.

import { runService } from '../../infra/process/index.ts';
import { startReconciler } from './app.ts';
import { reconcilerConfig } from './config.ts';

await runService({
  service: 'reconciler',
  readConfig: reconcilerConfig,
  start: ({ config, log, fail }) =>
    startReconciler({ config, log, onFault: (reason, cause) => fail(reason, { cause }) }),
});
