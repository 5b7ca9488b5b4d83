// The signer as a service. It runs in a separate process, without a network.

import { defineService } from '../../infra/process/index.ts';
import { startSigner } from './app.ts';
import { signerConfig } from './config.ts';

export const service = defineService({
  service: 'signer',
  readConfig: signerConfig,
  start: ({ config, log, fail }) =>
    startSigner({ config, log, onFault: (reason, cause) => fail(reason, { cause }) }),
});
