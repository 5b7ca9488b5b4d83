// Starts the sequencer. Exits with 75 if another sequencer leads (restart it), and with 70 if it
// found an inconsistency (investigate first). infra/process/README.md has the other exit codes.

import { EXIT_SUPERSEDED, runService } from '../../infra/process/index.ts';
import { startSequencer } from './app.ts';
import { sequencerConfig } from './config.ts';

await runService({
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
