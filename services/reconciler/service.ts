// The reconciler as a service, for its own process or a shared one.

import { defineService } from '../../infra/process/index.ts';
import { startReconciler } from './app.ts';
import { reconcilerConfig } from './config.ts';

export const service = defineService({
  service: 'reconciler',
  readConfig: reconcilerConfig,
  start: ({ config, log, fail }) =>
    startReconciler({ config, log, onFault: (reason, cause) => fail(reason, { cause }) }),
});
