// The publisher as a service, for its own process or a shared one.

import { defineService, EXIT_SUPERSEDED } from '../../infra/process/index.ts';
import { startPublisher } from './app.ts';
import { publisherConfig } from './config.ts';
import { LeaseLost } from './publisher-lease.ts';

const SUPERSEDED = { exitCode: EXIT_SUPERSEDED };

export const service = defineService({
  service: 'publisher',
  readConfig: publisherConfig,
  start: ({ config, log, fail }) =>
    startPublisher({
      config,
      log,
      onFault: (reason, cause) =>
        fail(reason, { cause, ...(cause instanceof LeaseLost ? SUPERSEDED : {}) }),
    }),
});
