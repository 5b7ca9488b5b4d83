// Starts the publisher. Exits with 75 if another publisher has taken its lease;
// infra/process/README.md has the other exit codes. It can be restarted at any time.

import { EXIT_SUPERSEDED, runService } from '../../infra/process/index.ts';
import { startPublisher } from './app.ts';
import { publisherConfig } from './config.ts';
import { LeaseLost } from './publisher-lease.ts';

const SUPERSEDED = { exitCode: EXIT_SUPERSEDED };

await runService({
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
