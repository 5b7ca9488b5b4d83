// The publisher process. It exits with 75 if another publisher has taken its lease; the other exit
// codes are in infra/process/README.md. It may be restarted at any time.

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
