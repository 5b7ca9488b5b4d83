// The projector process. It exits with 75 if another projector has written to its schema; the
// other exit codes are in infra/process/README.md. It may always be restarted.

import { EXIT_SUPERSEDED, runService } from '../../infra/process/index.ts';
import { startProjector } from './app.ts';
import { projectorConfig } from './config.ts';
import { CursorMoved } from './cursor.ts';

const SUPERSEDED = { exitCode: EXIT_SUPERSEDED };

await runService({
  service: 'projector',
  readConfig: projectorConfig,
  start: ({ config, log, fail }) =>
    startProjector({
      config,
      log,
      onFault: (reason, cause) =>
        fail(reason, { cause, ...(cause instanceof CursorMoved ? SUPERSEDED : {}) }),
    }),
});
