// Starts the projector. Exits with 75 if another projector has written to its schema, and with 78
// if the log does not belong to its tables; infra/process/README.md has the other exit codes. It
// can be restarted at any time.

import { LogRefused } from '../../infra/journal/index.ts';
import { EXIT_CONFIGURATION, EXIT_SUPERSEDED, runService } from '../../infra/process/index.ts';
import { startProjector } from './app.ts';
import { projectorConfig } from './config.ts';
import { CursorMoved } from './cursor.ts';

function exitCodeOf(cause: unknown) {
  if (cause instanceof CursorMoved) return { exitCode: EXIT_SUPERSEDED };
  return cause instanceof LogRefused ? { exitCode: EXIT_CONFIGURATION } : {};
}

await runService({
  service: 'projector',
  readConfig: projectorConfig,
  start: ({ config, log, fail }) =>
    startProjector({
      config,
      log,
      onFault: (reason, cause) => fail(reason, { cause, ...exitCodeOf(cause) }),
    }),
});
