// The reconciler process. Exit codes: see infra/process/README.md. It may always be restarted.

import { runService } from '../../infra/process/index.ts';
import { startReconciler } from './app.ts';
import { reconcilerConfig } from './config.ts';

await runService({
  service: 'reconciler',
  readConfig: reconcilerConfig,
  start: ({ config, log, fail }) =>
    startReconciler({ config, log, onFault: (reason, cause) => fail(reason, { cause }) }),
});
