// The projector as a service, for its own process or a shared one.

import { LogRefused } from '../../infra/journal/index.ts';
import { defineService, EXIT_CONFIGURATION, EXIT_SUPERSEDED } from '../../infra/process/index.ts';
import { startProjector } from './app.ts';
import { projectorConfig } from './config.ts';
import { CursorMoved } from './cursor.ts';

function exitCodeOf(cause: unknown) {
  if (cause instanceof CursorMoved) return { exitCode: EXIT_SUPERSEDED };
  return cause instanceof LogRefused ? { exitCode: EXIT_CONFIGURATION } : {};
}

export const service = defineService({
  service: 'projector',
  readConfig: projectorConfig,
  start: ({ config, log, fail }) =>
    startProjector({
      config,
      log,
      onFault: (reason, cause) => fail(reason, { cause, ...exitCodeOf(cause) }),
    }),
});
