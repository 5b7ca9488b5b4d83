// The projector process. It exits with 75 if another projector has written to its schema, and with
// 78 if the log is not the one of its tables; the other exit codes are in infra/process/README.md.
// It may always be restarted.

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
