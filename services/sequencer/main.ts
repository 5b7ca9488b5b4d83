// A sequencer process. Ends with 0 when asked, 75 when another leads (start it again), and 70 when
// it found what can not be right (look first).

import { createLogger, stopOnSignals } from '../../infra/process/index.ts';
import { type SequencerApp, startSequencer } from './app.ts';
import { sequencerConfig } from './config.ts';

const EXIT_FENCED = 75;
const EXIT_HALTED = 70;

const config = sequencerConfig(process.env);
const { instance, logLevel: level } = config;
const log = createLogger({ service: 'sequencer', instance, level });
let app: SequencerApp | undefined;

stopOnSignals({ log, limitMs: config.stopLimitMs, stop: async () => app?.stop() });

app = await startSequencer({
  config,
  log,
  onEnd(end) {
    log.fatal({ end }, 'ends');
    process.exit(end.kind === 'fenced' ? EXIT_FENCED : EXIT_HALTED);
  },
});
log.info({ healthPort: app.healthPort }, 'started');
