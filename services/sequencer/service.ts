// The sequencer as a service, for its own process or a shared one.

import { defineService, EXIT_SUPERSEDED } from '../../infra/process/index.ts';
import { startSequencer } from './app.ts';
import { sequencerConfig } from './config.ts';

export const service = defineService({
  service: 'sequencer',
  readConfig: sequencerConfig,
  start: ({ config, log, fail }) =>
    startSequencer({
      config,
      log,
      onEnd: (end) =>
        fail('sequencer ended', {
          fields: { end },
          ...(end.kind === 'fenced' ? { exitCode: EXIT_SUPERSEDED } : {}),
        }),
    }),
});
